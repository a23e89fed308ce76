// zod/mini, which browsers load.
import * as z from "zod/mini";

/** The members and charts that a person can open, with their places. A team-wide chart has no campaign. */
export const paletteResponseSchema = z.object({
  members: z.array(z.object({ team: z.string(), id: z.string(), name: z.string(), email: z.string() })),
  charts: z.array(
    z.object({
      team: z.string(),
      campaign: z.nullable(z.string()),
      /** Null: it is on the place's first dashboard. */
      dashboard: z.nullable(z.string()),
      id: z.string(),
      name: z.string(),
    }),
  ),
});
export type PaletteEntries = z.infer<typeof paletteResponseSchema>;
