import { z } from "zod";
import { chartNameSchema, hasStorableTexts } from "@/lib/charts/chart-filter";
import { chartValues } from "@/lib/charts/chart-values";
import { answer, onlyPost } from "@/lib/http/answer";
import { parseJsonBody } from "@/lib/http/parse-json-body";
import { requireSameOrigin } from "@/lib/http/request-guards";
import { requireRate } from "@/lib/http/require-rate";
import { requireRoutePermission } from "@/lib/permissions/require-route-permission";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

type Context = { params: Promise<{ team: string; campaign: string }> };

const bodySchema = z.object({
  source: chartNameSchema,
  column: chartNameSchema,
  prefix: z.string().max(100).refine(hasStorableTexts, "has unreadable characters"),
});

// POST …/dashboard/values: values that a column has, to choose from in a filter.
export function POST(request: Request, { params }: Context) {
  return answer(async () => {
    requireSameOrigin(request);
    const place = await params;
    const { session } = await requireRoutePermission(place, "charts.edit");
    await requireRate("preview", session.userId);
    const values = await chartValues(place, await parseJsonBody(request, bodySchema));
    return Response.json({ values }, { headers: { "Cache-Control": "no-store" } });
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
