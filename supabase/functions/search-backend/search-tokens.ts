import { createHash } from "node:crypto";
import { errors, jwtVerify, SignJWT } from "npm:jose@6.2.17";
import { secretKey } from "../_shared/clients.ts";

const lifetimeSeconds = 300;
const issuer = "search-backend";
const audience = "essearch/validation";

/** A token that only allows the account of this address to search, and its lifetime in ms. */
export async function makeToken(email: string): Promise<{ token: string; expires: number }> {
  const token = await new SignJWT()
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(hashEmail(email))
    .setJti(crypto.randomUUID())
    .setIssuedAt()
    .setExpirationTime(`${lifetimeSeconds} seconds`)
    .sign(await signingKey());
  return { token, expires: lifetimeSeconds * 1000 };
}

/** The id of a token that `makeToken` made for this address; null for any other, and for an expired one. */
export async function readToken(token: string, email: string): Promise<string | null> {
  try {
    const { payload } = await jwtVerify(token, await signingKey(), {
      algorithms: ["HS256"],
      issuer,
      audience,
      subject: hashEmail(email),
      requiredClaims: ["exp"],
    });
    return payload.jti ?? null;
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

// Identifies the account by a hash, so people who read their cookie don't learn an address to try passwords on.
function hashEmail(email: string) {
  return createHash("sha256").update(email).digest("hex");
}

// Derived from the secret key with its own label, so Supabase never accepts its tokens and it doesn't reveal the key.
async function signingKey() {
  const encode = (text: string) => new TextEncoder().encode(text);
  const secret = await crypto.subtle.importKey("raw", encode(secretKey()), "HKDF", false, ["deriveKey"]);
  return crypto.subtle.deriveKey(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encode("signet search-backend token") },
    secret,
    { name: "HMAC", hash: "SHA-256", length: 256 },
    false,
    ["sign", "verify"],
  );
}
