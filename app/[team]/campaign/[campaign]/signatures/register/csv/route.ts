import { exportResponse } from "@/lib/activity/reads";
import { formatOf } from "@/lib/format/format-of";
import { route } from "@/lib/http/route";
import { pathPlaceSchema } from "@/lib/ids";
import { findPlace } from "@/lib/permissions/require-place";
import { requireRoutePermission } from "@/lib/permissions/require-route-permission";
import { registerCsv, registerFileName } from "@/lib/signatures/register/csv";
import { registerSortSchema, strictRegisterFilterSchema } from "@/lib/signatures/register/filter";

// GET …/signatures/register/csv: the lines that match the register's filter, as a CSV file in its order.
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "GET",
  requiresLiveSession: true,
  guard: (session, { params: { team, campaign } }) =>
    requireRoutePermission(session, { team, campaign }, "signatures.view"),
  rate: "registerExport",
  params: strictRegisterFilterSchema.extend({ ...pathPlaceSchema.shape, sort: registerSortSchema }),
  run: async ({ session: { userId }, params: { team, campaign, sort, ...filter } }) => {
    const ids = { team, campaign };
    const place = await findPlace(ids);
    const lines = await registerCsv({ place: ids, filter, sort, timeZone: formatOf(place.team).timeZone });
    const name = registerFileName(place.campaign?.name ?? campaign, filter.sheet, formatOf(place.team).timeZone);
    return exportResponse(lines, name, { kind: "register", userId, place: ids, filter });
  },
});
