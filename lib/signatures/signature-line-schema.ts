import { z } from "zod";
import { campaignIdSchema, teamIdSchema, voterIdSchema } from "@/lib/ids";
import { daySchema, madeStorable, momentSchema } from "@/lib/storable";

/** Why a line on paper does not count. */
export const verdicts = ["duplicate", "not-found", "illegible", "not-registered", "out-of-district", "other"] as const;

// No line waits for ever for one character of the voter file. An empty text says as little as null.
const text = (longest: number) =>
  z
    .string()
    .transform((value) => madeStorable(value).trim())
    .pipe(z.string().max(longest, `must be at most ${longest} characters`))
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

const line = {
  /** Made on the client, so that a line sent again is the same line. */
  id: z.uuid("must be a uuid").toLowerCase(),
  teamId: teamIdSchema,
  campaignId: campaignIdSchema,
  sheet: paperNumberSchema.nullish().default(null),
  line: paperNumberSchema.nullish().default(null),
  /** When it was keyed, ISO 8601 in UTC; it may have waited since. */
  enteredAt: momentSchema.optional(),
};

/** A signature as a clerk enters it, bounded as the table is; empty texts become null. */
export const signatureLineSchema = z.object({
  ...line,
  voterId: voterIdSchema,
  firstName: text(200),
  lastName: text(200),
  city: text(200),
  county: text(200),
  zip: text(200),
  /** The day on the paper, YYYY-MM-DD. */
  signedOn: daySchema
    .refine((day) => day <= latestDay(), "is in the future")
    .refine((day) => day >= earliestDay, "is too long ago")
    .nullish()
    .default(null),
});
export type SignatureLine = z.infer<typeof signatureLineSchema>;

/** A line on paper that does not count, and why. */
export const rejectedLineSchema = z.object({
  ...line,
  verdict: z.enum(verdicts, "must be a reason of the list"),
  voterId: voterIdSchema.nullish().default(null),
  note: text(500),
});
export type RejectedLine = z.infer<typeof rejectedLineSchema>;
