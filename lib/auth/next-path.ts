// A browser reads `//host` and `/\host` as another site, and drops tabs and line ends before it looks.
const sameSite = /^\/(?![/\\])[^\p{Cc}]*$/u;

/** Where to go after sign-in: the path when it lies on this site, else `/`. Takes anything that a client may send. */
export function nextPath(value: unknown): string {
  return typeof value === "string" && sameSite.test(value) ? value : "/";
}
