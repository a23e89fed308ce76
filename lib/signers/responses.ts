import { z } from "zod";
import { byVoterId } from "@/lib/ids";

/** Whether each of the voters has signed. */
export const duplicateResponseSchema = z.object({ exists: byVoterId(z.boolean()) });

/** A campaign's set of signers: its size, when it was last built (ISO 8601), and the progress of a rebuild. */
export const signerSetSchema = z.object({
  members: z.number(),
  builtAt: z.string().nullable(),
  running: z.object({ read: z.number(), total: z.number() }).nullable(),
});
export type SignerSet = z.infer<typeof signerSetSchema>;
