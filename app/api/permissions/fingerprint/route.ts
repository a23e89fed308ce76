import type { NextRequest } from "next/server";
import { AppError } from "@/lib/errors";
import { answer } from "@/lib/http/answer";
import { requireSameOrigin } from "@/lib/http/request-guards";
import { requireRate } from "@/lib/http/require-rate";
import { getSession } from "@/lib/permissions/get-session";
import { permissionsFingerprint } from "@/lib/permissions/permissions-fingerprint";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

// GET /api/permissions/fingerprint?team=…&campaign=…: tells an open page whether what it was made from still holds.
export function GET(request: NextRequest) {
  return answer(async () => {
    requireSameOrigin(request);
    const session = await getSession();
    if (!session) throw new AppError("unauthenticated", "Your session has ended. Sign in again.");
    await requireRate("fingerprint", session.userId);
    const query = request.nextUrl.searchParams;
    if (query.has("campaign") && !query.has("team")) throw new AppError("invalid", "campaign needs team.");
    const place = { team: query.get("team") ?? undefined, campaign: query.get("campaign") ?? undefined };
    const fingerprint = await permissionsFingerprint(session, place);
    return Response.json({ fingerprint }, { headers: { "Cache-Control": "no-store" } });
  });
}
