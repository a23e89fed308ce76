import { answer, onlyPost } from "@/lib/http/answer";
import { requireSameOrigin } from "@/lib/http/request-guards";
import { requireRate } from "@/lib/http/require-rate";
import { getSession } from "@/lib/permissions/get-session";
import { refreshPermissions } from "@/lib/permissions/refresh-permissions";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

// POST /api/permissions/revalidate: drop the cached snapshots of the signed-in user (interface.md 4.6).
export function POST(request: Request) {
  return answer(async () => {
    requireSameOrigin(request);
    const session = await getSession();
    if (!session) return new Response(null, { status: 204 });
    await requireRate("revalidate", session.userId);
    await refreshPermissions(session.userId);
    return new Response(null, { status: 204 });
  });
}

export {
  onlyPost as DELETE,
  onlyPost as GET,
  onlyPost as HEAD,
  onlyPost as OPTIONS,
  onlyPost as PATCH,
  onlyPost as PUT,
};
