const least = [22, 12] as const; // as `engines` in package.json

/** The error for a Node that Signet can't run on; null if it can. `version` like `22.12.0`. */
export function oldNodeMessage(version: string): string | null {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > least[0] || (major === least[0] && minor >= least[1])) return null;
  return `Signet needs Node ${least.join(".")} or newer, and this is Node ${version}: run \`npm ci\` and use the npm scripts, which bring their own, or install a newer one.`;
}

/** Ends the process with that message, and code 1, on a Node that is too old. */
export function requireNewNode(): void {
  const message = oldNodeMessage(process.versions.node);
  if (message === null) return;
  console.error(message);
  process.exit(1);
}
