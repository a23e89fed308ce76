import { serve } from "@hono/node-server";
import { createClient } from "@supabase/supabase-js";
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from "jose";
import { atEnd } from "../../harness/run-bench.ts";
import type { Stack } from "../../harness/started-stack.ts";
import { demoPassword } from "../../scripts/demo-data/demo-data.ts";

const kid = "bench";

/**
 * Makes the stack behave like a hosted project: Auth has an ES256 key and signs tokens with it. The proxy replaces each of
 * these tokens by the stack's own token of the same person.
 */
export async function startIssuer(stack: Stack) {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const { privateKey: otherKey } = await generateKeyPair("ES256");
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid, alg: "ES256", use: "sig" }] };
  const ownTokens = new Map<string, string>();
  const handle = async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    if (pathname === "/auth/v1/.well-known/jwks.json") return Response.json(jwks);
    const headers = new Headers(request.headers);
    const ownToken = ownTokens.get(headers.get("authorization") ?? "");
    if (ownToken) headers.set("authorization", ownToken);
    const body = ["GET", "HEAD"].includes(request.method) ? null : await request.arrayBuffer();
    return fetch(`${stack.NEXT_PUBLIC_SUPABASE_URL}${pathname}${search}`, { method: request.method, headers, body });
  };
  const url = await new Promise<string>((listening) => {
    const server = serve({ fetch: handle, port: 0, hostname: "127.0.0.1" }, ({ port }) =>
      listening(`http://127.0.0.1:${port}`),
    );
    atEnd(() => server.close());
  });

  /** A demo person's cookie, and the same one signed with another key. */
  const signIn = async (email: string) => {
    const client = createClient(stack.NEXT_PUBLIC_SUPABASE_URL, stack.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY, {
      auth: { persistSession: false, autoRefreshToken: false },
    });
    const { data, error } = await client.auth.signInWithPassword({ email, password: demoPassword });
    if (error) throw error;
    const claims = decodeJwt(data.session.access_token);
    const sign = (key: CryptoKey) =>
      new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid, typ: "JWT" }).sign(key);
    const cookieWith = (token: string) => {
      const session = JSON.stringify({ ...data.session, access_token: token });
      return `sb-127-auth-token=base64-${Buffer.from(session).toString("base64url")}`;
    };
    const token = await sign(privateKey);
    ownTokens.set(`Bearer ${token}`, `Bearer ${data.session.access_token}`);
    return { cookie: cookieWith(token), forged: cookieWith(await sign(otherKey)) };
  };
  return { url, signIn };
}
