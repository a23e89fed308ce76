import { z } from "zod";
import { AppError } from "@/lib/errors";
import { answer, onlyPost } from "@/lib/http/answer";
import { parseJsonBody } from "@/lib/http/parse-json-body";
import { requireSameOrigin } from "@/lib/http/request-guards";
import { campaignIdSchema, teamIdSchema, voterIdSchema } from "@/lib/ids";
import { getSession } from "@/lib/permissions/get-session";
import { requireLineReader } from "@/lib/signatures/require-line-reader";
import { signedAlready } from "@/lib/signatures/signed-already";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

const bodySchema = z.object({
  teamId: teamIdSchema,
  campaignId: campaignIdSchema,
  voterIds: z.array(voterIdSchema).min(1, "must name a voter").max(100, "must be at most 100 voters"),
});

// POST /api/signatures/signed: who of the voters has signed, when, by whom and on which line, for those who may see lines.
export function POST(request: Request) {
  return answer(async () => {
    requireSameOrigin(request);
    const session = await getSession();
    if (!session) throw new AppError("unauthenticated", "Your session has ended. Sign in again.");
    const { teamId, campaignId, voterIds } = await parseJsonBody(request, bodySchema);
    await requireLineReader(session, { team: teamId, campaign: campaignId });
    const signed = Object.fromEntries(await signedAlready({ teamId, campaignId, voterIds }));
    return Response.json({ signed }, { headers: { "Cache-Control": "no-store" } });
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
