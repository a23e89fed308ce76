import { z } from "zod";

/** The secret of an invitation link: 256 random bits as 43 base64url characters. */
export const invitationTokenSchema = z.string().regex(/^[A-Za-z0-9_-]{43}$/, "isn't an invitation");

/** Path of the page that accepts an invitation. */
export function invitationPath(token: string): string {
  return `/invitation/${token}`;
}
