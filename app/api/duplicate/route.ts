import { z } from "zod";
import { route } from "@/lib/http/route";
import { campaignIdSchema, voterIdSchema } from "@/lib/ids";
import { requireCampaignAccess } from "@/lib/permissions/require-route-permission";
import { hasSigner } from "@/lib/signers/has-signers";

// POST /api/duplicate: has a voter signed a campaign (contract 4.4).
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "POST",
  guard: async (session, { body }) => requireCampaignAccess(session, (await body()).campaignId),
  unavailableNeedsRetryAfter: true,
  rate: "duplicate",
  body: z.object({ campaignId: campaignIdSchema, voterId: voterIdSchema }),
  run: async ({ body }) => ({ exists: await hasSigner(body) }),
});
