import { z } from "zod";
import { route } from "@/lib/http/route";
import { placeSchema, voterIdSchema } from "@/lib/ids";
import { requireRoutePermission } from "@/lib/permissions/require-route-permission";
import { findSigned } from "@/lib/signatures/entry-state";
import type { signedResponseSchema } from "@/lib/signatures/responses";

const voterIds = z.array(voterIdSchema).min(1, "must name a voter").max(100, "must be at most 100 voters");

// POST /api/signatures/signed: which voters have signed, when, by which clerk and on which line, for people who may see lines.
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "POST",
  guard: async (session, { body }) => {
    const { team, campaign } = await body();
    await requireRoutePermission(session, { team, campaign }, "signatures.view", "signatures.enter");
  },
  rate: "signed",
  body: placeSchema.extend({ voterIds }),
  run: async ({ body }): Promise<z.input<typeof signedResponseSchema>> => ({
    signed: Object.fromEntries(await findSigned(body)),
  }),
});
