import { activityCsv } from "@/lib/audit/activity-csv";
import { activityFilterSchema } from "@/lib/audit/activity-filter";
import { AppError } from "@/lib/errors";
import { answer } from "@/lib/http/answer";
import { requireSameOrigin } from "@/lib/http/request-guards";
import { getSession } from "@/lib/permissions/get-session";
import { PermissionRefused } from "@/lib/permissions/permission-refused";
import { routePermissions } from "@/lib/permissions/route-permissions";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

// GET /[team]/activity/csv: the team's activity as the list's filter narrows it, to keep, with `members.manage`.
export function GET(request: Request, { params }: { params: Promise<{ team: string }> }) {
  return answer(async () => {
    requireSameOrigin(request);
    const session = await getSession();
    if (!session) throw new AppError("unauthenticated", "Your session has ended. Sign in again.");
    const { team } = await params;
    const { teamAccess, permissionKeys } = await routePermissions(session, { team });
    if (!teamAccess || !permissionKeys.includes("members.manage"))
      throw new PermissionRefused({ team }, "members.manage");
    const filter = activityFilterSchema.parse(Object.fromEntries(new URL(request.url).searchParams));
    return new Response(await activityCsv(team, filter), {
      headers: {
        "Content-Type": "text/csv; charset=utf-8",
        "Content-Disposition": `attachment; filename="${team}-activity.csv"`,
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
      },
    });
  });
}
