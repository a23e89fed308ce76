import { z } from "zod";
import { describeEntry } from "@/components/activity/describe-entry";
import type { ActivityEntry } from "@/lib/activity/activity";
import { strictActivityFilterSchema } from "@/lib/activity/activity-filter";
import { activityCsv } from "@/lib/activity/csv";
import { exportResponse } from "@/lib/activity/reads";
import { formatOf } from "@/lib/format/format-of";
import { route } from "@/lib/http/route";
import { findPlace } from "@/lib/permissions/require-place";
import { requireRoutePermission } from "@/lib/permissions/require-route-permission";

// GET /[team]/activity/csv: the team's activity filtered like the list, as a CSV file.
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "GET",
  requiresLiveSession: true,
  guard: (session, { params }) => requireRoutePermission(session, { team: params.team }, "members.manage"),
  rate: "activityExport",
  params: strictActivityFilterSchema.extend({ team: z.string() }),
  run: async ({ session: { userId }, params: { team, ...filter } }) => {
    const format = formatOf((await findPlace({ team })).team);
    const options = { describe: (entry: ActivityEntry) => describeEntry(entry, format), timeZone: format.timeZone };
    const csv = await activityCsv(team, filter, options);
    return exportResponse(csv, `${team}-activity`, { kind: "activity", userId, place: { team }, filter });
  },
});
