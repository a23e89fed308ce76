import { z } from "zod";
import { route } from "@/lib/http/route";
import { campaignIdSchema, voterIdSchema } from "@/lib/ids";
import { requireCampaignAccess } from "@/lib/permissions/require-route-permission";
import { checkSigners } from "@/lib/signers/has-signers";
import type { duplicateResponseSchema } from "@/lib/signers/responses";

// 500 ids of 64 characters fill half of the 64 KiB that a body can have.
const maxVoterIds = 500;
const voterIds = z
  .array(voterIdSchema, "must be a list of voter ids")
  .min(1, "must contain at least one voter id")
  .max(maxVoterIds, `must contain at most ${maxVoterIds} voter ids`);

// POST /api/duplicate/batch: which of the voters of a list have signed a campaign.
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "POST",
  guard: async (session, { body }) => requireCampaignAccess(session, (await body()).campaignId),
  unavailableNeedsRetryAfter: true,
  rate: "duplicateBatch",
  body: z.object({ campaignId: campaignIdSchema, voterIds }),
  run: async ({ body }): Promise<z.input<typeof duplicateResponseSchema>> => ({
    exists: Object.fromEntries(await checkSigners(body)),
  }),
});
