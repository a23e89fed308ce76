import { formatOf } from "@/lib/format/format-of";
import { csvResponse } from "@/lib/http/csv-response";
import { route } from "@/lib/http/route";
import { pathPlaceSchema } from "@/lib/ids";
import { findPlace } from "@/lib/permissions/find-place";
import { requireRoutePermission } from "@/lib/permissions/require-route-permission";
import { registerCsv } from "@/lib/signatures/register-csv";
import { strictRegisterFilterSchema } from "@/lib/signatures/register-filter";

// GET …/signatures/register/csv: the lines that the register's filter lets through, as a CSV file.
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "GET",
  live: true,
  guard: (session, { at: { team, campaign } }) =>
    requireRoutePermission(session, { team, campaign }, "signatures.view"),
  rate: "registerExport",
  at: strictRegisterFilterSchema.extend(pathPlaceSchema.shape),
  run: async ({ at: { team, campaign, ...filter } }) => {
    const found = await findPlace({ team, campaign });
    const text = await registerCsv({ place: { team, campaign }, filter, format: formatOf(found.team) });
    return csvResponse(text, `${found.campaign?.name ?? campaign} register`);
  },
});
