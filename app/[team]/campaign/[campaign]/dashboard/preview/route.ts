import { chartQuerySchema } from "@/lib/charts/definition/definition";
import type { Preview } from "@/lib/charts/definition/stored-chart";
import { aggregateChart } from "@/lib/charts/store/generate";
import { route } from "@/lib/http/route";
import { pathTeamOrCampaignSchema } from "@/lib/ids";
import { requireRoutePermission } from "@/lib/permissions/require-route-permission";

// POST …/dashboard/preview: what a definition computes, which isn't stored; 422 names the `part` that can't run.
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "POST",
  guard: (session, { params }) => requireRoutePermission(session, params, "charts.edit"),
  rate: "preview",
  params: pathTeamOrCampaignSchema,
  body: chartQuerySchema,
  run: async ({ session, params, body }): Promise<Preview> => ({
    result: await aggregateChart({ actorId: session.userId, place: params, query: body }),
  }),
});
