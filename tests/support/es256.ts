import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";

export const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A key of the kind that hosted projects use: its public key set, and tokens that it signs. */
export function es256Key(kid = "key-1") {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    kid,
    publicKey,
    keySet: { keys: [{ ...publicKey.export({ format: "jwk" }), kid, alg: "ES256", use: "sig" }] },
    token: (claims: unknown) => signed(privateKey, { alg: "ES256", typ: "JWT", kid }, claims),
  };
}

function signed(key: KeyObject, header: object, claims: unknown) {
  const content = `${encode(header)}.${encode(claims)}`;
  return `${content}.${sign("sha256", Buffer.from(content), { key, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
}

/** The cookie of a session with an access token, for an Auth at `supabase.test`. */
export function sessionCookie(accessToken: string, expiresAt = Math.floor(Date.now() / 1000) + 900) {
  const session = {
    access_token: accessToken,
    refresh_token: "r",
    token_type: "bearer",
    expires_in: 900,
    expires_at: expiresAt,
    user: { id: "somebody-else" },
  };
  return { name: "sb-supabase-auth-token", value: `base64-${encode(session)}` };
}
