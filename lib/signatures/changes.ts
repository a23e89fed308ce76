import { z } from "zod";
import { emptyAsNull } from "@/lib/forms/empty-as-null";
import { placeSchema, voterIdSchema } from "@/lib/ids";
import { type Verdict, verdicts } from "@/lib/signatures/verdicts";
import { daySchema, momentSchema, toStorable } from "@/lib/storable";

// A line must not be refused forever for one character of the voter file.
const typed = (maxLength: number) =>
  z
    .string()
    .transform((value) => toStorable(value).trim())
    .pipe(z.string().max(maxLength, `must be at most ${maxLength} characters`));
const text = (maxLength: number) =>
  typed(maxLength)
    .nullish()
    .transform((value) => value || null);

/** The number of a sheet, or of a line on it. */
export const paperNumberSchema = z
  .int("must be a whole number")
  .min(1, "must be 1 or more")
  .max(999_999, "must be 999,999 or less");

// The earliest time zone: a later day is in the future everywhere.
const latestDay = () => new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);
const earliestDay = "2000-01-01"; // a two-digit year in a date field is in the first century
const dayOnPaper = daySchema
  .refine((day) => day <= latestDay(), "is in the future")
  .refine((day) => day >= earliestDay, "is too long ago");

/** Why a line is removed, restored or moved. */
export const reasonSchema = text(500);

/** What is written on a sheet besides its lines. A missing field stays as it is; null and an empty text clear it. */
export const paperSchema = z.object({
  circulator: typed(200)
    .nullable()
    .transform((value) => value || null)
    .optional(),
  /** YYYY-MM-DD. */
  collectedOn: dayOnPaper.nullable().optional(),
  /** How many signatures are on the sheet, entered or not. */
  signatureCount: z
    .int("must be a whole number")
    .min(0, "must be 0 or more")
    .max(999_999, "must be 999,999 or less")
    .nullable()
    .optional(),
});
export type Paper = z.infer<typeof paperSchema>;

const id = z.uuid("must be a uuid").toLowerCase();

const lineShape = {
  verdict: z.enum(verdicts, "must be one of the listed statuses"),
  voterId: voterIdSchema.nullish().default(null),
  firstName: text(200),
  lastName: text(200),
  address: text(200),
  city: text(200),
  county: text(200),
  zip: text(200),
  signedOn: dayOnPaper.nullish().default(null),
  note: text(500),
};

type Rule = [
  fits: (line: { verdict: Verdict; voterId: string | null }) => boolean,
  { path: string[]; message: string },
];
const hasVoter: Rule = [
  ({ verdict, voterId }) => verdict !== "accepted" || voterId !== null,
  { path: ["voterId"], message: "is missing" },
];
const hasNoVoter: Rule = [
  ({ verdict, voterId }) => verdict !== "blank" || voterId === null,
  { path: ["voterId"], message: "must be missing on a blank line" },
];

/** A line as a clerk enters it, with the limits of the table. Its id is made on the client, so that sending it again is safe. */
export const enteredLineSchema = z
  .object({
    id,
    ...placeSchema.shape,
    sheet: paperNumberSchema.nullish().default(null),
    line: paperNumberSchema.nullish().default(null),
    ...lineShape,
    /** When it was entered; it may have been sent later. */
    enteredAt: momentSchema.optional(),
  })
  .refine(...hasVoter)
  .refine(...hasNoVoter);
export type EnteredLine = z.infer<typeof enteredLineSchema>;

/** The fields of a form that corrects a line. */
export const correctedLineSchema = z
  .object({
    ...lineShape,
    voterId: emptyAsNull(lineShape.voterId),
    signedOn: emptyAsNull(lineShape.signedOn),
  })
  .refine(...hasVoter)
  .refine(...hasNoVoter);
export type CorrectedLine = z.infer<typeof correctedLineSchema>;

const shared = { id, ...placeSchema.shape };

/** A change that a clerk made. */
export const changeSchema = z.discriminatedUnion(
  "kind",
  [
    enteredLineSchema.safeExtend({ kind: z.literal("line") }),
    /** Takes the line `of` back. */
    z.object({ kind: z.literal("undo"), ...shared, of: id }),
    /** Without a number it opens the next sheet. */
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

/** A change as it is sent; the team and the campaign are sent once for a whole request. */
export type SentChange = DistributiveOmit<z.input<typeof changeSchema>, "team" | "campaign">;
type DistributiveOmit<Change, Name extends PropertyKey> = Change extends unknown ? Omit<Change, Name> : never;

/** Changes of one clerk in the order in which they were made. Each is parsed separately, so that none holds up another. */
export const changesSchema = z.object({
  ...placeSchema.shape,
  /** Who made them; nothing is stored if someone else has signed in since. */
  clerk: z.uuid("must be a uuid").optional(),
  changes: z.array(z.unknown()).min(1, "must contain at least one change").max(50, "must contain at most 50 changes"),
});
