import type { NextRequest } from "next/server";
import { AppError } from "@/lib/errors";
import { answer } from "@/lib/http/answer";
import { requireSameOrigin } from "@/lib/http/request-guards";
import { campaignIdSchema, teamIdSchema } from "@/lib/ids";
import { getSession } from "@/lib/permissions/get-session";
import { entryState } from "@/lib/signatures/entry-state";
import { requireLineReader } from "@/lib/signatures/require-line-reader";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

// GET /api/signatures/state?team=…&campaign=…: the counts, sheets and last lines of an open entry screen, read again.
export function GET(request: NextRequest) {
  return answer(async () => {
    requireSameOrigin(request);
    const session = await getSession();
    if (!session) throw new AppError("unauthenticated", "Your session has ended. Sign in again.");
    const query = request.nextUrl.searchParams;
    const team = teamIdSchema.safeParse(query.get("team"));
    const campaign = campaignIdSchema.safeParse(query.get("campaign"));
    if (!team.success || !campaign.success) throw new AppError("invalid", "team and campaign must be named.");
    await requireLineReader(session, { team: team.data, campaign: campaign.data });
    const state = await entryState({ actorId: session.userId, teamId: team.data, campaignId: campaign.data });
    return Response.json(state, { headers: { "Cache-Control": "no-store" } });
  });
}
