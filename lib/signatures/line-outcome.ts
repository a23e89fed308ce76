import { z } from "zod";

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

/** A sheet, and who works on it. */
export const sheetSchema = z.object({
  number: z.int(),
  /** The name of who started or resumed it last; null when her account is gone. */
  openedBy: z.string().nullable(),
  mine: z.boolean(),
  openedAt: z.string(),
  closedAt: z.string().nullable(),
  /** Lines keyed on it, rejected ones too. */
  lines: z.int(),
  nextLine: z.int(),
});
export type Sheet = z.infer<typeof sheetSchema>;

/** What came of opening or closing a sheet. */
export type SheetOutcome = { outcome: "opened" | "closed"; sheet: Sheet };
