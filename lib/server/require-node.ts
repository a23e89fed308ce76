const minVersion = [22, 12] as const; // as `engines` in package.json

/** The error for a Node that Signet can't run on; null if it can. `version` like `22.12.0`. */
export function oldNodeMessage(version: string): string | null {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > minVersion[0] || (major === minVersion[0] && minor >= minVersion[1])) return null;
  return `Signet needs Node ${minVersion.join(".")} or newer, and this is Node ${version}. Run \`npm ci\` and start Signet with its npm scripts, or install a newer Node.`;
}

/** On a Node that is too old, ends the process with that message and code 1. */
export function requireNode(): void {
  const message = oldNodeMessage(process.versions.node);
  if (message === null) return;
  console.error(message);
  process.exit(1);
}
