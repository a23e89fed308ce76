import type { NextRequest } from "next/server";
import { AppError } from "@/lib/errors";
import { answer } from "@/lib/http/answer";
import { requireSameOrigin } from "@/lib/http/request-guards";
import { getSession } from "@/lib/permissions/get-session";
import { routePermissions } from "@/lib/permissions/route-permissions";
import { signerSet } from "@/lib/signers/signer-set";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

// GET /api/signers/progress?team=…&campaign=…: how far the rebuild of a campaign's set is, with `signatures.remove` there.
export function GET(request: NextRequest) {
  return answer(async () => {
    requireSameOrigin(request);
    const session = await getSession();
    if (!session) throw new AppError("unauthenticated", "Your session has ended. Sign in again.");
    const query = request.nextUrl.searchParams;
    const [team, campaign] = [query.get("team"), query.get("campaign")];
    if (!team || !campaign) throw new AppError("invalid", "Name a team and a campaign.");
    const { campaignAccess, permissionKeys } = await routePermissions(session, { team, campaign });
    if (!campaignAccess || !permissionKeys.includes("signatures.remove")) {
      throw new AppError("forbidden", "You may not rebuild the duplicate check of this campaign.");
    }
    return Response.json(await signerSet(campaign), { headers: { "Cache-Control": "no-store" } });
  });
}
