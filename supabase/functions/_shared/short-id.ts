import { z } from "npm:zod@4.6.7";

/** The id of a team or a campaign. `name` is what errors call it. */
export function shortId(name: string) {
  const error = `${name} must be 1 to 63 letters, digits, - or _, and begin with a letter or a digit.`;
  return z.string(error).regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/, error);
}
