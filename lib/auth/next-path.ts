// Browsers read `//host` and `/\host` as another site, after they drop tabs and line ends.
const sameSite = /^\/(?![/\\])[^\p{Cc}]*$/u;

/** Where to go after sign-in: the path if it is on this site, otherwise `/`. Safe for any input and as a header. */
export function nextPath(value: unknown): string {
  if (typeof value !== "string" || !sameSite.test(value)) return "/";
  const { origin, pathname, search, hash } = new URL(value, "http://here.invalid");
  return origin === "http://here.invalid" && !pathname.startsWith("//") ? pathname + search + hash : "/";
}

/** The same for the absolute address of an email link, on the site of the origin. */
export function nextPathOn(origin: string, value: unknown): string {
  return nextPath(typeof value === "string" && value.startsWith(`${origin}/`) ? value.slice(origin.length) : value);
}
