import { z } from "zod";
import { verdicts } from "@/lib/signatures/verdicts";

const text = z.string().nullable();
const number = z.int().nullable();

/** A line as it is stored. Whatever shows or sends lines uses this model, with what it omits or adds. */
export const lineSchema = z.object({
  id: z.guid(),
  sheet: number,
  line: number,
  verdict: z.enum(verdicts),
  voterId: text,
  firstName: text,
  lastName: text,
  /** House number and street. */
  address: text,
  city: text,
  county: text,
  zip: text,
  /** YYYY-MM-DD, or null where the sheet has no date. */
  signedOn: text,
  note: text,
  /** The clerk's name; null for a deleted account. */
  enteredBy: text,
  /** Whether the person who asks entered it. */
  mine: z.boolean(),
  /** ISO 8601 in UTC, as is `removedAt`. */
  enteredAt: z.string(),
  removedAt: text,
});
export type Line = z.infer<typeof lineSchema>;

/** Which entry of a line in the quality check is right, as a supervisor settled it. */
export const rightEntrySchema = z.enum(["first", "second", "neither"]);
export type RightEntry = z.infer<typeof rightEntrySchema>;

/** Where a voter has already signed. Of another team's line nothing else is shown. */
export const signedAtSchema = z.discriminatedUnion("ownTeam", [
  z.object({ ownTeam: z.literal(false) }),
  z.object({
    ownTeam: z.literal(true),
    signedOn: z.string().optional(),
    /** ISO 8601 in UTC. */
    enteredAt: z.string().optional(),
    /** The clerk's name; missing for a deleted account. */
    enteredBy: z.string().optional(),
    sheet: z.int().optional(),
    line: z.int().optional(),
  }),
]);
export type SignedAt = z.infer<typeof signedAtSchema>;

/** A sheet with what is written on it besides its lines. */
export const sheetSchema = z.object({
  number: z.int(),
  circulator: text,
  /** YYYY-MM-DD. */
  collectedOn: z.iso.date().nullable(),
  /** How many signatures are on the sheet, entered or not. */
  signatureCount: number,
  /** Who opened it last; null for a deleted account. */
  openedBy: text,
  mine: z.boolean(),
  openedAt: z.string(),
  closedAt: text,
  /** Lines entered on it that are not removed, without those that are blank on paper. */
  lines: z.int(),
  /** The first empty one. */
  nextLine: z.int(),
  /** Who entered these lines, most lines first. */
  clerks: z.array(z.object({ name: text, mine: z.boolean(), lines: z.int() })),
});
export type Sheet = z.infer<typeof sheetSchema>;

const conflictSchema = z.object({ line: z.int(), here: lineSchema, there: lineSchema });

/** The result of renumbering a sheet: nothing is moved while both sheets have the same line. */
export const renumberOutcomeSchema = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("renumbered"), sheet: sheetSchema }),
  z.object({ outcome: z.literal("conflicts"), conflicts: z.array(conflictSchema) }),
]);
export type RenumberOutcome = z.infer<typeof renumberOutcomeSchema>;
