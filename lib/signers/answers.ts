import { z } from "zod";
import { byVoterId } from "@/lib/ids";

/** Of each voter that was asked for, whether she has signed. */
export const existsAnswer = z.object({ exists: byVoterId(z.boolean()) });

/** A campaign's set of signers: its members, when it was last built completely (ISO, or null), and how far a rebuild is. */
export const signerSetSchema = z.object({
  members: z.number(),
  builtAt: z.string().nullable(),
  running: z.object({ read: z.number(), total: z.number() }).nullable(),
});
export type SignerSet = z.infer<typeof signerSetSchema>;
