import { z } from "zod";
import { generateChart } from "@/lib/charts/store/generate";
import { requireEditableChart } from "@/lib/charts/store/read";
import { route } from "@/lib/http/route";

// POST /api/charts/[id]: generate and store the data of a chart (contract 4.5). The body is not read.
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "POST",
  guard: async (session, { params }) => {
    await requireEditableChart(session, params.id);
    return session;
  },
  rate: "charts",
  params: z.object({ id: z.string() }),
  run: async ({ session, params }) => {
    const result = await generateChart({ actorId: session.userId, id: params.id });
    return new Response(result, { headers: { "Content-Type": "application/json" } });
  },
});
