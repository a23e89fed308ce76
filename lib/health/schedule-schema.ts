import { z } from "zod";

const seconds = z.number().transform(Math.round).nullable();
const runSchema = z.object({
  active: z.boolean(),
  ranAt: z.string().nullable(),
  status: z.string().nullable(),
  error: z.string().nullable(),
});

/** What the function `schedule_state` of the database answers. */
export const scheduleSchema = z.object({
  oldestNotes: z.object({ permissions: seconds, signers: seconds }),
  jobs: z.record(z.string(), z.union([runSchema, z.literal("not scheduled")])),
});
