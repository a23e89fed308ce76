import { z } from "zod";
import { exportResponse } from "@/lib/activity/reads";
import { cellQuerySchema } from "@/lib/charts/definition/result";
import { recordsCsv } from "@/lib/charts/store/records";
import { route } from "@/lib/http/route";
import { pathTeamOrCampaignSchema } from "@/lib/ids";
import { requireRoutePermission } from "@/lib/permissions/require-route-permission";
import { storableText } from "@/lib/storable";

// POST …/dashboard/records-csv: all records that a number of a chart counts, as a CSV file.
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "POST",
  requiresLiveSession: true,
  guard: (session, { params }) => requireRoutePermission(session, params, "signatures.view"),
  rate: "charts",
  params: pathTeamOrCampaignSchema,
  body: z.object({ cell: cellQuerySchema, name: storableText.max(120) }),
  run: async ({ session: { userId }, params, body: { cell, name } }) => {
    const exportLog = { kind: "records", userId, place: params, filter: { name, ...cell } } as const;
    return exportResponse(await recordsCsv({ actorId: userId, place: params, cell }), name, exportLog);
  },
});
