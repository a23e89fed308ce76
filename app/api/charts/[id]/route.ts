import { z } from "zod";
import { generateChart, placeOfChart } from "@/lib/charts/generate-chart";
import { AppError } from "@/lib/errors";
import { answer, onlyPost } from "@/lib/http/answer";
import { requireSameOrigin } from "@/lib/http/request-guards";
import { getSession } from "@/lib/permissions/get-session";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

// POST /api/charts/[id]: generate and store the data of a chart (interface.md 4.5). The body is not read.
export function POST(request: Request, { params }: { params: Promise<{ id: string }> }) {
  return answer(async () => {
    requireSameOrigin(request);
    const { id } = await params;
    const isId = z.guid().safeParse(id).success;
    const place = isId ? placeOfChart(id) : undefined; // read while the session is checked
    place?.catch(() => undefined); // what is wrong with the chart is said to those who may know
    const session = await getSession();
    if (!session) throw new AppError("unauthenticated", "Your session has ended. Sign in again.");
    if (!isId) throw new AppError("invalid", "This is not the id of a chart.");
    return new Response(await generateChart(session, id, place), {
      headers: { "Content-Type": "application/json", "Cache-Control": "no-store" },
    });
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
