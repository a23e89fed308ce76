import { after } from "next/server";
import { route } from "@/lib/http/route";
import { requireRoutePermission } from "@/lib/permissions/require-route-permission";
import { changesSchema } from "@/lib/signatures/changes";
import { requireOwnChanges } from "@/lib/signatures/entry-state";
import { recordChanges } from "@/lib/signatures/record";
import type { ChangesResponse } from "@/lib/signatures/responses";

// POST /api/signatures: stores and undoes lines, opens and closes sheets. Returns the outcome of each, in order.
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "POST",
  requiresLiveSession: true,
  guard: async (session, { body }) => {
    const { team, campaign, clerk } = await body();
    requireOwnChanges(session, clerk);
    return requireRoutePermission(session, { team, campaign }, "signatures.enter");
  },
  rate: "signatures",
  body: changesSchema,
  run: async ({ session, body }): Promise<ChangesResponse> => ({
    outcomes: await recordChanges({ ...body, actorId: session.userId }, after),
  }),
});
