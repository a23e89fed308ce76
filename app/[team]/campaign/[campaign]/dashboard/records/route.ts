import { z } from "zod";
import { cellQuerySchema, recordsSortSchema } from "@/lib/charts/definition/result";
import type { ChartRecords } from "@/lib/charts/definition/stored-chart";
import { listChartRecords } from "@/lib/charts/store/records";
import { route } from "@/lib/http/route";
import { pathTeamOrCampaignSchema } from "@/lib/ids";
import { requireRoutePermission } from "@/lib/permissions/require-route-permission";

// POST …/dashboard/records: a page of the records that a number counts. A POST keeps names of voters out of URLs.
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "POST",
  guard: (session, { params }) => requireRoutePermission(session, params, "signatures.view"),
  rate: "preview",
  params: pathTeamOrCampaignSchema,
  body: z.object({
    cell: cellQuerySchema,
    offset: z.int32().min(0),
    limit: z.int().min(1).max(100),
    sort: recordsSortSchema.nullable().default(null),
  }),
  run: async ({ session, params, body }): Promise<ChartRecords> => {
    const { columns, records, total } = await listChartRecords({ actorId: session.userId, place: params, ...body });
    return { columns, records, total };
  },
});
