import { z } from "zod";
import { verdicts } from "@/lib/signatures/verdicts";

const text = z.string().nullable();

/** Where a voter has signed already; of another team's line nothing more than that is told. */
export const signedAtSchema = z.discriminatedUnion("ownTeam", [
  z.object({ ownTeam: z.literal(false) }),
  z.object({
    ownTeam: z.literal(true),
    /** ISO 8601 in UTC. */
    enteredAt: z.string().optional(),
    /** A name; missing when her account is gone. */
    enteredBy: z.string().optional(),
    sheet: z.int().optional(),
    line: z.int().optional(),
  }),
]);
export type SignedAt = z.infer<typeof signedAtSchema>;

/**
 * What came of a line or an undo for good; the same when it is sent again. `setBehind`: the database has it, the fast
 * check learns of it when the connection is back.
 */
export type LineOutcome =
  | { outcome: "accepted"; enteredAt: string; setBehind: boolean }
  | { outcome: "duplicate"; of: SignedAt | null }
  | { outcome: "rejected"; enteredAt: string }
  | { outcome: "removed"; setBehind: boolean };

/** What came of restoring a line. */
export type RestoreOutcome = { outcome: "restored"; setBehind: boolean };

/** A sheet, what its paper says, who works on it and who keyed it. */
export const sheetSchema = z.object({
  number: z.int(),
  circulator: text,
  /** YYYY-MM-DD. */
  collectedOn: z.iso.date().nullable(),
  /** How many signatures the paper bears, keyed or not. */
  signatureCount: z.int().nullable(),
  /** The name of who started or resumed it last; null when her account is gone. */
  openedBy: text,
  mine: z.boolean(),
  openedAt: z.string(),
  closedAt: text,
  /** Live lines that were keyed on it, rejected ones too, without those that are blank on the paper. */
  lines: z.int(),
  nextLine: z.int(),
  /** Who keyed these lines, most of them first; null when her account is gone. */
  clerks: z.array(z.object({ name: text, mine: z.boolean(), lines: z.int() })),
});
export type Sheet = z.infer<typeof sheetSchema>;

/** What stands on a line of a sheet. */
export const sheetLineSchema = z.object({
  id: z.uuid(),
  line: z.int(),
  verdict: z.enum(verdicts),
  voterId: text,
  firstName: text,
  lastName: text,
  city: text,
  zip: text,
  note: text,
  signedOn: text,
  /** A name; null when her account is gone. */
  enteredBy: text,
  mine: z.boolean(),
  /** ISO 8601 in UTC. */
  enteredAt: z.string(),
});

const conflictSchema = z.object({ line: z.int(), here: sheetLineSchema, there: sheetLineSchema });

/** What came of renumbering a sheet: nothing was moved as long as lines stand at both numbers. */
export const renumberOutcomeSchema = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("renumbered"), sheet: sheetSchema }),
  z.object({ outcome: z.literal("conflicts"), conflicts: z.array(conflictSchema) }),
]);
export type RenumberOutcome = z.infer<typeof renumberOutcomeSchema>;
