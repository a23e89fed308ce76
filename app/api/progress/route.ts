import { respondIfChanged, route } from "@/lib/http/route";
import { placeSchema } from "@/lib/ids";
import { requireRoutePermission } from "@/lib/permissions/require-route-permission";
import { readCampaignProgress } from "@/lib/progress/read-progress";

// GET /api/progress?team=…&campaign=…: a campaign's progress, and the team's own work for those who may see lines; 304 if
// nothing has changed.
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "GET",
  guard: (session, { params }) => requireRoutePermission(session, params, "campaign.view"),
  rate: "progress",
  params: placeSchema,
  run: ({ request, session: { permissionKeys }, params }) => {
    const work = permissionKeys.includes("signatures.view");
    return respondIfChanged(request, (known) => readCampaignProgress({ ...params, includeWork: work, known }));
  },
});
