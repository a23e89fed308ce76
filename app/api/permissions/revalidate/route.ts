import { getSession } from "@/lib/auth/get-session";
import { enforceRateLimit } from "@/lib/http/enforce-rate-limit";
import { route } from "@/lib/http/route";
import { refreshPermissions } from "@/lib/permissions/invalidate";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

// POST /api/permissions/revalidate: drops the cached snapshots of the signed-in user only (contract 4.6).
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "POST",
  guard: "everyone",
  run: async () => {
    const session = await getSession();
    if (session) {
      await enforceRateLimit("revalidate", session.userId);
      await refreshPermissions(session.userId);
    }
    return new Response(null, { status: 204 });
  },
});
