import { createServerClient } from "@supabase/ssr";
import { demoPassword } from "../demo-data/demo-data.ts";

export type Cookie = { name: string; value: string };

/** The session cookies of a demo person after sign-in, encoded as @supabase/ssr does. */
export async function sessionCookies(env: Record<string, string>, email: string): Promise<Cookie[]> {
  const jar = new Map<string, string>();
  const { NEXT_PUBLIC_SUPABASE_URL: url = "", NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY: publishableKey = "" } = env;
  const client = createServerClient(url, publishableKey, {
    cookies: {
      getAll: () => [...jar].map(([name, value]) => ({ name, value })),
      setAll: (changed) => {
        for (const { name, value } of changed) jar.set(name, value);
      },
    },
  });
  const { error } = await client.auth.signInWithPassword({ email, password: demoPassword });
  if (error) throw error;
  return [...jar].map(([name, value]) => ({ name, value }));
}

/** The cookies as a request header. */
export function cookieHeader(cookies: Cookie[]) {
  return cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
}
