import { z } from "zod";
import { chartNameSchema } from "@/lib/charts/definition/definition";
import type { ChartValues } from "@/lib/charts/definition/stored-chart";
import { listChartValues } from "@/lib/charts/store/records";
import { route } from "@/lib/http/route";
import { pathTeamOrCampaignSchema } from "@/lib/ids";
import { requireRoutePermission } from "@/lib/permissions/require-route-permission";
import { storableText } from "@/lib/storable";

// POST …/dashboard/values: the values of a column, to choose from in a filter.
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "POST",
  guard: (session, { params }) => requireRoutePermission(session, params, "charts.edit"),
  rate: "preview",
  params: pathTeamOrCampaignSchema,
  body: z.object({
    source: chartNameSchema,
    column: chartNameSchema,
    prefix: storableText.max(100),
  }),
  run: async ({ session, params, body }): Promise<ChartValues> => ({
    values: await listChartValues({ actorId: session.userId, place: params, ...body }),
  }),
});
