// The small edition, for it comes with every page.
import * as z from "zod/mini";

/** The names of people and charts that somebody may open, with where they are. A chart of the whole team has no campaign. */
export const namesAnswer = z.object({
  members: z.array(z.object({ team: z.string(), id: z.string(), name: z.string(), email: z.string() })),
  charts: z.array(z.object({ team: z.string(), campaign: z.nullable(z.string()), id: z.string(), name: z.string() })),
});
export type Names = z.infer<typeof namesAnswer>;
