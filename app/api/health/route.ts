import { supabaseSecretKey } from "@/lib/env";
import { checkHealth, knownHealth, readDetails } from "@/lib/health/health";
import { route } from "@/lib/http/route";
import { cacheCounters } from "@/lib/permissions/cached-by-epoch";
import { isSecretKey } from "@/supabase/functions/_shared/is-secret-key";

export const dynamic = "force-dynamic";

// GET /api/health: `ok` or `degraded`; with the secret key as `apikey` also details for the operator.
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "GET",
  guard: "everyone",
  fromAnySite: true,
  run: async ({ request }) => {
    const isOperator = isSecretKey(request, [supabaseSecretKey()]);
    const parts = await (isOperator ? checkHealth() : knownHealth());
    const status = Object.values(parts).every(Boolean) ? "ok" : "degraded";
    return { status, ...(isOperator && { ...parts, permissionCache: cacheCounters, ...(await readDetails()) }) };
  },
});
