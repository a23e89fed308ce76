import { z } from "zod";
import { placeSchema } from "@/lib/ids";
import { lineSchema, paperNumberSchema, paperSchema } from "@/lib/signatures/line-schema";

const shared = { id: z.uuid("must be a uuid").toLowerCase(), ...placeSchema.shape };

/** Something that a clerk did, with its place. `id` is made on the client: a line sent again is the same line. */
export const changeSchema = z.discriminatedUnion(
  "kind",
  [
    lineSchema.safeExtend({ kind: z.literal("line") }),
    /** Takes the line `of` back. */
    z.object({ kind: z.literal("undo"), ...shared, of: z.uuid("must be a uuid").toLowerCase() }),
    /** Null asks for the next number, which is asked for once and at once. */
    z.object({
      kind: z.literal("open-sheet"),
      ...shared,
      sheet: paperNumberSchema.nullable(),
      paper: paperSchema.optional(),
    }),
    z.object({ kind: z.literal("close-sheet"), ...shared, sheet: paperNumberSchema }),
  ],
  "must be line, undo, open-sheet or close-sheet",
);

/** A change as it is sent: its place is told once, for all of a request. */
export type SentChange = DistributiveOmit<z.input<typeof changeSchema>, "team" | "campaign">;
type DistributiveOmit<Change, Name extends PropertyKey> = Change extends unknown ? Omit<Change, Name> : never;

/** Changes of one clerk, in the order in which she made them. Each is read by itself, so that one hinders no other. */
export const changesSchema = z.object({
  ...placeSchema.shape,
  /** Whose they are; when somebody else has signed in meanwhile, none is stored. */
  clerk: z.uuid("must be a uuid").optional(),
  changes: z.array(z.unknown()).min(1, "must hold a change").max(50, "must be at most 50 changes"),
});
