import { createHash } from "node:crypto";

/** Stands for an e-mail address where the address itself is not to be kept; the same for all ways to write it. */
export function addressKey(email: string): string {
  return createHash("sha256").update(email.trim().toLowerCase()).digest("base64url");
}
