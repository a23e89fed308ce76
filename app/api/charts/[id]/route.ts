import { z } from "zod";
import { generateChart } from "@/lib/charts/generate-chart";
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
    const session = await getSession();
    if (!session) throw new AppError("unauthenticated", "Your session has ended. Sign in again.");
    const { id } = await params;
    if (!z.guid().safeParse(id).success) throw new AppError("invalid", "This is not the id of a chart.");
    return Response.json(await generateChart(session, id), { headers: { "Cache-Control": "no-store" } });
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
