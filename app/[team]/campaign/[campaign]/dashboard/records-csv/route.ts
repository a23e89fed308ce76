import { z } from "zod";
import { chartCellSchema } from "@/lib/charts/chart-cell";
import { recordsCsv } from "@/lib/charts/records-csv";
import { answer, onlyPost } from "@/lib/http/answer";
import { parseJsonBody } from "@/lib/http/parse-json-body";
import { requireSameOrigin } from "@/lib/http/request-guards";
import { requireRate } from "@/lib/http/require-rate";
import { requireRoutePermission } from "@/lib/permissions/require-route-permission";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

type Context = { params: Promise<{ team: string; campaign: string }> };

const bodySchema = z.object({ cell: chartCellSchema, name: z.string().max(120) });

// POST …/dashboard/records-csv: all records that a number of a chart counts, as a CSV file.
export function POST(request: Request, { params }: Context) {
  return answer(async () => {
    requireSameOrigin(request);
    const place = await params;
    const { session } = await requireRoutePermission(place, "signatures.view");
    await requireRate("charts", session.userId);
    const asked = await parseJsonBody(request, bodySchema);
    const pieces = await recordsCsv({ actorId: session.userId, place, ...asked });
    return new Response(streamOf(pieces), {
      headers: { "Content-Type": "text/csv; charset=utf-8", "Cache-Control": "no-store" },
    });
  });
}

// Read as fast as the browser takes it: no file stands whole in memory.
function streamOf(pieces: AsyncIterable<string>) {
  const reading = pieces[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reading.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await reading.return?.();
    },
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
