import { aggregateChart } from "@/lib/charts/aggregate-chart";
import { chartQuerySchema } from "@/lib/charts/chart-definition";
import { ChartProblem } from "@/lib/charts/chart-problem";
import { AppError } from "@/lib/errors";
import { answer, onlyPost } from "@/lib/http/answer";
import { parseJsonBody } from "@/lib/http/parse-json-body";
import { requireSameOrigin } from "@/lib/http/request-guards";
import { requireRate } from "@/lib/http/require-rate";
import { requireRoutePermission } from "@/lib/permissions/require-route-permission";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

type Context = { params: Promise<{ team: string; campaign: string }> };

// POST …/dashboard/preview: what a definition computes, not stored; 422 names the `part` that cannot run.
export function POST(request: Request, { params }: Context) {
  return answer(async () => {
    requireSameOrigin(request);
    const place = await params;
    const { session } = await requireRoutePermission(place, "charts.edit");
    await requireRate("preview", session.userId);
    const query = await parseJsonBody(request, chartQuerySchema);
    const began = performance.now();
    const result = await aggregateChart(place, query).catch((thrown: unknown) => {
      if (thrown instanceof ChartProblem) return thrown;
      throw thrown;
    });
    const headers = { "Cache-Control": "no-store" };
    if (result instanceof AppError) {
      return Response.json({ error: result.message, part: result.part }, { status: result.status, headers });
    }
    return Response.json({ result, milliseconds: Math.round(performance.now() - began) }, { headers });
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
