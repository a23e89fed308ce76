import { z } from "zod";
import { onlyPost } from "@/lib/http/answer";
import { campaignIdSchema, voterIdSchema } from "@/lib/ids";
import { answerCheck } from "@/lib/signers/answer-check";
import { hasSigner } from "@/lib/signers/has-signer";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

const bodySchema = z.object({ campaignId: campaignIdSchema, voterId: voterIdSchema });

// POST /api/duplicate: has a voter signed a campaign (interface.md 4.4).
export function POST(request: Request) {
  return answerCheck(request, bodySchema, async (body) => ({ exists: await hasSigner(body) }));
}

export {
  onlyPost as DELETE,
  onlyPost as GET,
  onlyPost as HEAD,
  onlyPost as OPTIONS,
  onlyPost as PATCH,
  onlyPost as PUT,
};
