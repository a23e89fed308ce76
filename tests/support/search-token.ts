import { createHash, hkdfSync } from "node:crypto";
import { SignJWT } from "jose";

/** The digest of its account's password that search-backend gets. */
export function passwordDigest(password: string) {
  return createHash("sha256").update(password).digest("hex");
}

/** The claims of a token of search-backend for the account with this address. */
export function searchClaims(email: string) {
  const now = Math.floor(Date.now() / 1000);
  return {
    iss: "search-backend",
    aud: "essearch/validation",
    sub: createHash("sha256").update(email).digest("hex"),
    jti: crypto.randomUUID(),
    iat: now,
    exp: now + 300,
  };
}

/** A token with any claims, signed as search-backend signs in a project with this secret key. */
export function searchToken(claims: Record<string, unknown>, secretKey: string): Promise<string> {
  const key = new Uint8Array(hkdfSync("sha256", secretKey, "", "signet search-backend token", 32));
  return new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(key);
}
