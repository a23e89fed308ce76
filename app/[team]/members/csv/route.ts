import { z } from "zod";
import { exportResponse } from "@/lib/activity/reads";
import { route } from "@/lib/http/route";
import { requireRoutePermission } from "@/lib/permissions/require-route-permission";
import { membersCsv } from "@/lib/team-access/members";
import { strictMembersFilterSchema } from "@/lib/team-access/members-filter";

// GET /[team]/members/csv: the team's members filtered and sorted like the list, as a CSV file.
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "GET",
  requiresLiveSession: true,
  guard: (session, { params }) => requireRoutePermission(session, { team: params.team }, "members.view"),
  rate: "membersExport",
  params: strictMembersFilterSchema.extend({ team: z.string() }),
  run: async ({ session: { userId }, params: { team, ...filter } }) => {
    const exportLog = { kind: "members", userId, place: { team }, filter } as const;
    return exportResponse(await membersCsv(team, filter), `${team}-members`, exportLog);
  },
});
