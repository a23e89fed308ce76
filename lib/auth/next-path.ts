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

/** The same for an address as the links of e-mails carry it: whole, and on the site of the origin. */
export function nextPathOn(origin: string, value: unknown): string {
  return nextPath(typeof value === "string" && value.startsWith(`${origin}/`) ? value.slice(origin.length) : value);
}
