import { z } from "npm:zod@4.6.7";

/** The id of a team or a campaign. `name` is what errors call it. */
export function shortId(name: string) {
  const error = `${name} must use letters, numbers, hyphens, and underscores (63 at most), and start with a letter or number.`;
  return z.string(error).regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/, error);
}
