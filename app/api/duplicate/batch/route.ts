import { z } from "zod";
import { onlyPost } from "@/lib/http/answer";
import { campaignIdSchema, voterIdSchema } from "@/lib/ids";
import { answerCheck } from "@/lib/signers/answer-check";
import { hasSigners } from "@/lib/signers/has-signers";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

const bodySchema = z.object({
  campaignId: campaignIdSchema,
  voterIds: z
    .array(voterIdSchema, "must be a list of voter ids")
    .min(1, "must hold at least one voter id")
    .max(500, "must hold at most 500 voter ids"),
});

// POST /api/duplicate/batch: which of the voters of a list have signed a campaign.
export function POST(request: Request) {
  return answerCheck(request, bodySchema, async (body) => ({ exists: Object.fromEntries(await hasSigners(body)) }));
}

export {
  onlyPost as DELETE,
  onlyPost as GET,
  onlyPost as HEAD,
  onlyPost as OPTIONS,
  onlyPost as PATCH,
  onlyPost as PUT,
};
