import { errors, jwtVerify, SignJWT } from "npm:jose@6.2.17";
import { secretKeys } from "../_shared/clients.ts";

const lifetime = 300; // seconds
const issuer = "search-backend";
const audience = "essearch/validation";

/** A token with which the account of this address may search, and for how many ms. It is good for nothing else. */
export async function makeToken(email: string): Promise<{ token: string; expires: number }> {
  const token = await new SignJWT()
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(await digestOf(email))
    .setJti(crypto.randomUUID())
    .setIssuedAt()
    .setExpirationTime(`${lifetime} seconds`)
    .sign(await signingKey());
  return { token, expires: lifetime * 1000 };
}

/** The id of a token that was made here for this address; null for any other, and for one that has expired. */
export async function readToken(token: string, email: string): Promise<string | null> {
  try {
    const { payload } = await jwtVerify(token, await signingKey(), {
      algorithms: ["HS256"],
      issuer,
      audience,
      subject: await digestOf(email),
      requiredClaims: ["exp"],
    });
    return payload.jti ?? null;
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

// Identifies the account by a hash, so people who read their cookie don't learn an address to try passwords on.
async function digestOf(email: string) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(email));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Derived from the secret key with its own label, so Supabase never accepts its tokens and it doesn't reveal the key.
async function signingKey() {
  const [secretKey] = secretKeys();
  if (!secretKey) throw new Error("The project has no secret key.");
  const encode = (text: string) => new TextEncoder().encode(text);
  const secret = await crypto.subtle.importKey("raw", encode(secretKey), "HKDF", false, ["deriveKey"]);
  return crypto.subtle.deriveKey(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encode("signet search-backend token") },
    secret,
    { name: "HMAC", hash: "SHA-256", length: 256 },
    false,
    ["sign", "verify"],
  );
}
