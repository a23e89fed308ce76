import { z } from "zod";
import { readDashboardVersion } from "@/lib/charts/store/dashboard";
import { respondIfChanged, route } from "@/lib/http/route";
import { placeSchema } from "@/lib/ids";
import { requireRoutePermission } from "@/lib/permissions/require-route-permission";

// GET /api/dashboard?team=…&campaign=…&board=…: the version of a dashboard; 304 if nothing has changed.
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "GET",
  guard: (session, { params: { team, campaign } }) =>
    requireRoutePermission(session, { team, campaign }, "charts.view"),
  rate: "progress",
  params: placeSchema
    .partial({ campaign: true })
    .extend({ board: z.guid().nullable().default(null), filtered: z.stringbool().default(false) }),
  run: ({ request, params: { board: dashboardId, filtered: isFiltered, ...place } }) =>
    respondIfChanged(request, async (known) => {
      const version = await readDashboardVersion({ place, dashboardId, isFiltered });
      return version === known ? null : { version };
    }),
});
