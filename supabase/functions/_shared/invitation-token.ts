import { createHash, createHmac } from "node:crypto";

/**
 * The secret of an invitation's link, 43 base64url characters. It isn't stored: deriving it from the project's secret key
 * gives the same link each time.
 */
export function invitationToken(secretKey: string, invitationId: string): string {
  return createHmac("sha256", secretKey).update(`invitation ${invitationId}`).digest("base64url");
}

/** SHA-256 of a link's token in hex, which is all that the database stores of it. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
