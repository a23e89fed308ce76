import { supabaseSecretKey } from "@/lib/env";
import { checkHealth } from "@/lib/health/check-health";
import { answer } from "@/lib/http/answer";
import { cacheCounters } from "@/lib/permissions/cache-counters";
import { isSecretKey } from "@/supabase/functions/_shared/is-secret-key";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

// GET /api/health: `ok` or `degraded`; with the secret key as `apikey` also which part, and what the cache has done.
export function GET(request: Request) {
  return answer(async () => {
    const parts = await checkHealth();
    const status = Object.values(parts).every(Boolean) ? "ok" : "degraded";
    const details = (await isSecretKey(request, [supabaseSecretKey()])) && { ...parts, permissionCache: cacheCounters };
    return Response.json({ status, ...details }, { headers: { "Cache-Control": "no-store" } });
  });
}
