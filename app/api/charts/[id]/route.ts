import { z } from "zod";
import { generateChart } from "@/lib/charts/generate-chart";
import { requireEditableChart } from "@/lib/charts/require-editable-chart";
import { route } from "@/lib/http/route";

// POST /api/charts/[id]: generate and store the data of a chart (contract 4.5). The body is not read.
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "POST",
  guard: (session, { at }) => requireEditableChart(session, at.id),
  rate: "charts",
  at: z.object({ id: z.string() }),
  run: async ({ at }) => new Response(await generateChart(at.id), { headers: { "Content-Type": "application/json" } }),
});
