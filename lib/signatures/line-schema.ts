import { z } from "zod";
import { placeSchema, voterIdSchema } from "@/lib/ids";
import { verdicts } from "@/lib/signatures/verdicts";
import { daySchema, madeStorable, momentSchema } from "@/lib/storable";

// No line waits for ever for one character of the voter file.
const typed = (longest: number) =>
  z
    .string()
    .transform((value) => madeStorable(value).trim())
    .pipe(z.string().max(longest, `must be at most ${longest} characters`));
// An empty text says as little as null.
const text = (longest: number) =>
  typed(longest)
    .nullish()
    .transform((value) => value || null);

/** The number of a sheet, or of a line on it: 1 to 999 999. */
export const paperNumberSchema = z
  .int("must be a whole number")
  .min(1, "must be 1 or more")
  .max(999_999, "must be 999999 or less");

// West of here no day begins earlier: whatever the zone, a later day is in the future.
const latestDay = () => new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);
const earliestDay = "2000-01-01"; // a year of two digits, typed into a date field, is one of the first century
const dayOnPaper = daySchema
  .refine((day) => day <= latestDay(), "is in the future")
  .refine((day) => day >= earliestDay, "is too long ago");

/** Why a line is removed, restored or moved; an empty text becomes null. */
export const reasonSchema = text(500);

/** What the paper of a sheet says beside its lines. What is not given stays as it is; null and an empty text clear it. */
export const paperSchema = z.object({
  circulator: typed(200)
    .nullable()
    .transform((value) => value || null)
    .optional(),
  /** YYYY-MM-DD. */
  collectedOn: dayOnPaper.nullable().optional(),
  /** How many signatures the paper bears, keyed or not. */
  signatureCount: z
    .int("must be a whole number")
    .min(0, "must be 0 or more")
    .max(999_999, "must be 999999 or less")
    .nullable()
    .optional(),
});
export type Paper = z.infer<typeof paperSchema>;

/** A line as a clerk keys it, bounded as the table is; empty texts become null. An accepted one has a voter, a blank one none. */
export const lineSchema = z
  .object({
    /** Made on the client, so that a line sent again is the same line. */
    id: z.uuid("must be a uuid").toLowerCase(),
    ...placeSchema.shape,
    sheet: paperNumberSchema.nullish().default(null),
    line: paperNumberSchema.nullish().default(null),
    verdict: z.enum(verdicts, "must be a verdict of the list"),
    voterId: voterIdSchema.nullish().default(null),
    firstName: text(200),
    lastName: text(200),
    address: text(200),
    city: text(200),
    county: text(200),
    zip: text(200),
    /** The day on the paper, YYYY-MM-DD. */
    signedOn: dayOnPaper.nullish().default(null),
    note: text(500),
    /** When it was keyed, ISO 8601 in UTC; it may have waited since. */
    enteredAt: momentSchema.optional(),
  })
  .refine(({ verdict, voterId }) => verdict !== "accepted" || voterId !== null, {
    path: ["voterId"],
    message: "is missing",
  })
  .refine(({ verdict, voterId }) => verdict !== "blank" || voterId === null, {
    path: ["voterId"],
    message: "must be missing on a blank line",
  });
export type Line = z.infer<typeof lineSchema>;
