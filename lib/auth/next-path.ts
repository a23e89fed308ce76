// A browser reads `//host` and `/\host` as another site, and drops tabs and line ends before it looks.
const sameSite = /^\/(?![/\\])[^\p{Cc}]*$/u;

/**
 * Where to go after sign-in: the path when it lies on this site, else `/`. Takes anything that a client may send, and
 * gives what a header can carry.
 */
export function nextPath(value: unknown): string {
  if (typeof value !== "string" || !sameSite.test(value)) return "/";
  const { origin, pathname, search, hash } = new URL(value, "http://here.invalid");
  return origin === "http://here.invalid" && !pathname.startsWith("//") ? pathname + search + hash : "/";
}
