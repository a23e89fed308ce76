import "server-only";
import { createClient } from "@supabase/supabase-js";
import { publicEnv, supabaseSecretKey } from "@/lib/env";
import { fetchWithTimeout } from "@/lib/supabase/with-timeout";
import type { Database } from "@/supabase/functions/_shared/database";

/** The database and Auth with the secret key. Use a guard first. It has no session: the SSR client would let cookies override the key. */
export function createAdminClient() {
  return createClient<Database>(publicEnv().supabaseUrl, supabaseSecretKey(), {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: fetchWithTimeout },
    db: { retry: false }, // three retries would take seven more seconds
  });
}
