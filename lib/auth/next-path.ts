// Browsers read `//host` and `/\host` as another site, after they drop tabs and line ends.
const sameSite = /^\/(?![/\\])[^\p{Cc}]*$/u;

/** Where to go after sign-in: the path if it is on this site, otherwise `/`. Safe for any input and as a header. */
export function nextPath(value: unknown): string {
  if (typeof value !== "string" || !sameSite.test(value)) return "/";
  const { origin, pathname, search, hash } = new URL(value, "http://here.invalid");
  return origin === "http://here.invalid" && !pathname.startsWith("//") ? pathname + search + hash : "/";
}

/** The path of an email link's absolute address on the site of the origin, or `/` for one elsewhere. */
export function nextPathOn(origin: string, value: unknown): string {
  return nextPath(typeof value === "string" && value.startsWith(`${origin}/`) ? value.slice(origin.length) : value);
}
