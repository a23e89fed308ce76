import { z } from "zod";
import { emptyAsNull } from "@/lib/forms/empty-as-null";
import { placeSchema, voterIdSchema } from "@/lib/ids";
import { earliestDay } from "@/lib/signatures/entry/signed-date";
import { type Verdict, verdicts } from "@/lib/signatures/verdicts";
import { daySchema, momentSchema, toStorable } from "@/lib/storable";

// Replaces characters PostgreSQL can't store, so one bad character doesn't block a line forever.
const trimmedText = (maxLength: number) =>
  z
    .string()
    .transform((value) => toStorable(value).trim())
    .pipe(z.string().max(maxLength, `must be at most ${maxLength} characters`));
const optionalText = (maxLength: number) =>
  trimmedText(maxLength)
    .nullish()
    .transform((value) => value || null);

/** The number of a sheet, or of a line on it. */
export const sheetOrLineNumberSchema = z
  .int("must be a whole number")
  .min(1, "must be 1 or more")
  .max(999_999, "must be 999999 or less");

// The date in UTC+14, the first time zone to reach it.
const latestDay = () => new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);
const signingDateSchema = daySchema
  .refine((day) => day <= latestDay(), "is in the future")
  .refine((day) => day >= earliestDay, "is too long ago");

/** Why a line is removed, restored or moved. */
export const reasonSchema = optionalText(500);

/** A sheet's own fields. An omitted field is unchanged; null and an empty text clear it. */
export const sheetDetailsSchema = z.object({
  circulator: trimmedText(200)
    .nullable()
    .transform((value) => value || null)
    .optional(),
  /** YYYY-MM-DD. */
  collectedOn: signingDateSchema.nullable().optional(),
  /** How many signatures are on the sheet, entered or not. Forecasts use it, so the limit rejects extra zeros. */
  signatureCount: z
    .int("must be a whole number")
    .min(1, "must be 1 or more")
    .max(1000, "must be 1,000 or less")
    .nullable()
    .optional(),
});
export type SheetDetails = z.infer<typeof sheetDetailsSchema>;

const id = z.uuid("must be a uuid").toLowerCase();

const lineShape = {
  verdict: z.enum(verdicts, "must be one of the listed statuses"),
  voterId: voterIdSchema.nullish().default(null),
  firstName: optionalText(200),
  lastName: optionalText(200),
  address: optionalText(200),
  city: optionalText(200),
  county: optionalText(200),
  zip: optionalText(200),
  signedOn: signingDateSchema.nullish().default(null),
  note: optionalText(500),
};

type Rule = [
  isValid: (line: { verdict: Verdict; voterId: string | null }) => boolean,
  { path: string[]; message: string },
];
const hasVoter: Rule = [
  ({ verdict, voterId }) => verdict !== "accepted" || voterId !== null,
  { path: ["voterId"], message: "is required for a valid line" },
];
const hasNoVoter: Rule = [
  ({ verdict, voterId }) => verdict !== "blank" || voterId === null,
  { path: ["voterId"], message: "must be empty for a blank line" },
];

/** A line as a clerk enters it, with the limits of the table. The client generates the id, so retries are safe. */
export const enteredLineSchema = z
  .object({
    id,
    ...placeSchema.shape,
    sheet: sheetOrLineNumberSchema.nullish().default(null),
    line: sheetOrLineNumberSchema.nullish().default(null),
    ...lineShape,
    /** When it was entered; it may have been sent later. */
    enteredAt: momentSchema.optional(),
    /** The line it corrects, which the clerk has undone. */
    replaces: id.optional(),
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

const commonFields = { id, ...placeSchema.shape };

/** A change that a clerk made. */
export const clerkChangeSchema = z.discriminatedUnion(
  "kind",
  [
    enteredLineSchema.safeExtend({ kind: z.literal("line") }),
    /** Undoes line `of`. */
    z.object({ kind: z.literal("undo"), ...commonFields, of: id }),
    /** Restores line `of` after an undo. */
    z.object({ kind: z.literal("restore"), ...commonFields, of: id }),
    /** A change without a number opens the next sheet. */
    z.object({
      kind: z.literal("open-sheet"),
      ...commonFields,
      sheet: sheetOrLineNumberSchema.nullable(),
      paper: sheetDetailsSchema.optional(),
      /** Whether the clerk has confirmed that someone's closed sheet is reopened. */
      reopens: z.boolean().optional(),
    }),
    z.object({ kind: z.literal("close-sheet"), ...commonFields, sheet: sheetOrLineNumberSchema }),
  ],
  "must be line, undo, restore, open-sheet or close-sheet",
);

/** A change as it is sent; the team and the campaign are sent once for a whole request. */
export type SentChange = DistributiveOmit<z.input<typeof clerkChangeSchema>, "team" | "campaign">;
type DistributiveOmit<Change, Name extends PropertyKey> = Change extends unknown ? Omit<Change, Name> : never;

/** Changes of one clerk in the order in which they were made. Each is parsed separately, so one invalid change doesn't block the others. */
export const changesSchema = z.object({
  ...placeSchema.shape,
  /** Who made them; nothing is stored if someone else has signed in since. */
  clerk: z.uuid("must be a uuid").optional(),
  changes: z.array(z.unknown()).min(1, "must contain at least one change").max(50, "must contain at most 50 changes"),
});
