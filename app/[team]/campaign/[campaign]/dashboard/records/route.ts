import { z } from "zod";
import { chartCellSchema } from "@/lib/charts/chart-cell";
import { chartRecords } from "@/lib/charts/chart-records";
import { answer, onlyPost } from "@/lib/http/answer";
import { parseJsonBody } from "@/lib/http/parse-json-body";
import { requireSameOrigin } from "@/lib/http/request-guards";
import { requireRate } from "@/lib/http/require-rate";
import { requireRoutePermission } from "@/lib/permissions/require-route-permission";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

type Context = { params: Promise<{ team: string; campaign: string }> };

const bodySchema = z.object({ cell: chartCellSchema, offset: z.int32().min(0), limit: z.int().min(1).max(100) });

// POST …/dashboard/records: a page of the records that a number of a chart counts. POST, so that names of voters stand
// in no address.
export function POST(request: Request, { params }: Context) {
  return answer(async () => {
    requireSameOrigin(request);
    const place = await params;
    const { session } = await requireRoutePermission(place, "signatures.view");
    await requireRate("preview", session.userId);
    const asked = await parseJsonBody(request, bodySchema);
    const { columns, records, total } = await chartRecords({ actorId: session.userId, place, ...asked });
    return Response.json({ columns, records, total }, { headers: { "Cache-Control": "no-store" } });
  });
}

export {
  onlyPost as DELETE,
  onlyPost as GET,
  onlyPost as HEAD,
  onlyPost as OPTIONS,
  onlyPost as PATCH,
  onlyPost as PUT,
};
