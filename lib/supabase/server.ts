import "server-only";
import { createServerClient } from "@supabase/ssr";
import { cookies } from "next/headers";
import { publicEnv } from "@/lib/env";

/** Supabase as the person of the session cookies: her rights, her row-level security. One for each request. */
export async function createSessionClient() {
  // Cookies first: a build, which has no environment yet, learns by them that the page is not static.
  const store = await cookies();
  const { supabaseUrl, publishableKey } = publicEnv();
  return createServerClient(supabaseUrl, publishableKey, {
    cookies: {
      getAll: () => store.getAll(),
      setAll: (changed) => {
        try {
          for (const { name, value, options } of changed) store.set(name, value, options);
        } catch {
          // A page cannot set cookies; the middleware has refreshed them already.
        }
      },
    },
  });
}
