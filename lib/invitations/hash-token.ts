import "server-only";
import { createHash } from "node:crypto";

/** SHA-256 of a link's token in hex: all that the database knows of it. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
