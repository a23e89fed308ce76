import { z } from "zod";
import { exportResponse } from "@/lib/activity/reads";
import { cellQuerySchema, recordsSortSchema } from "@/lib/charts/definition/result";
import { recordsCsv } from "@/lib/charts/store/records";
import { formatOf } from "@/lib/format/format-of";
import { route } from "@/lib/http/route";
import { pathTeamOrCampaignSchema } from "@/lib/ids";
import { findPlace } from "@/lib/permissions/require-place";
import { requireRoutePermission } from "@/lib/permissions/require-route-permission";
import { storableText } from "@/lib/storable";

// POST …/dashboard/records-csv: all records that a number of a chart counts, as a CSV file in their order on the screen.
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "POST",
  requiresLiveSession: true,
  guard: (session, { params }) => requireRoutePermission(session, params, "signatures.view"),
  rate: "charts",
  params: pathTeamOrCampaignSchema,
  body: z.object({ cell: cellQuerySchema, name: storableText.max(120), sort: recordsSortSchema.nullish() }),
  run: async ({ session: { userId }, params: place, body: { name, ...query } }) => {
    const { timeZone } = formatOf((await findPlace(place)).team);
    const exportLog = { kind: "records", userId, place, filter: { name, ...query.cell } } as const;
    return exportResponse(await recordsCsv({ actorId: userId, place, ...query, timeZone }), name, exportLog);
  },
});
