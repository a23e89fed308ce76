import { z } from "zod";
import { loadReadLabels } from "@/app/[team]/activity/reads/read-labels";
import { describeRead } from "@/components/activity/describe-read";
import { strictAccessLogFilterSchema } from "@/lib/activity/activity-filter";
import { readsCsv } from "@/lib/activity/csv";
import { exportResponse, type ReadEntry } from "@/lib/activity/reads";
import { route } from "@/lib/http/route";
import { requireRoutePermission } from "@/lib/permissions/require-route-permission";

// GET /[team]/activity/reads/csv: the team's sign-ins, exports, and searches filtered like the list, as a CSV file.
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "GET",
  requiresLiveSession: true,
  guard: (session, { params }) => requireRoutePermission(session, { team: params.team }, "members.manage"),
  rate: "activityExport",
  params: strictAccessLogFilterSchema.extend({ team: z.string() }),
  run: async ({ session: { userId }, params: { team, ...filter } }) => {
    const { labels, format } = await loadReadLabels(team);
    const options = { describe: (read: ReadEntry) => describeRead(read, labels, format), timeZone: format.timeZone };
    const csv = await readsCsv({ actorId: userId, teamId: team }, filter, options);
    const logged = { ...filter, kind: filter.kind ?? "reads" };
    return exportResponse(csv, `${team}-${logged.kind}`, { kind: "activity", userId, place: { team }, filter: logged });
  },
});
