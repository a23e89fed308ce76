import { createHash, createHmac } from "node:crypto";

/**
 * The secret of an invitation's link, 43 base64url characters: made of the project's secret key whenever it is needed, so
 * that it is stored nowhere and the link can be shown and sent again.
 */
export function invitationToken(secretKey: string, invitationId: string): string {
  return createHmac("sha256", secretKey).update(`invitation ${invitationId}`).digest("base64url");
}

/** SHA-256 of a link's token in hex: all that the database knows of it. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
