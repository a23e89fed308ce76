import { z } from "zod";

const placeSchema = z.object({
  /** Null for the team itself. */
  campaign: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** Whether the place opens to her, closes, or stays as it is. */
  access: z.enum(["opens", "closes", "stays"]),
  /** Keys that she holds there after the change and did not hold before, sorted; what she holds in the team counts in each of her campaigns. */
  gains: z.array(z.string()),
  losses: z.array(z.string()),
});

/** Who gains and who loses what by a change: people by name, of each the places where something differs, the team first. */
export const accessEffectsSchema = z.array(
  z.object({ userId: z.uuid(), name: z.string(), places: z.array(placeSchema) }),
);
export type AccessEffects = z.infer<typeof accessEffectsSchema>;
