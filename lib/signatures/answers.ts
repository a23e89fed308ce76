import { z } from "zod";
import { byVoterId } from "@/lib/ids";
import { lineSchema, sheetSchema, signedAtSchema } from "@/lib/signatures/line";
import { verdicts } from "@/lib/signatures/verdicts";

const text = z.string().nullable();
const count = z.int();

/** The open sheet of a clerk, with its lines in the order of the paper. */
export const sheetAtHandSchema = sheetSchema.extend({ entered: z.array(lineSchema.extend({ line: count })) });
export type SheetAtHand = z.infer<typeof sheetAtHandSchema>;

/** What the entry screen shows: counts, sheets and the clerk's last lines. */
export const entryStateSchema = z.object({
  /** When this was so, ISO 8601 in UTC. */
  at: z.string(),
  timeZone: z.string(),
  /** YYYY-MM-DD in the team's time zone. */
  today: z.iso.date(),
  goal: count.nullable(),
  startsOn: text,
  endsOn: text,
  /** Lines that a sheet of the campaign has. */
  linesPerSheet: count,
  /** Of all teams together. */
  campaign: z.object({ accepted: count }),
  /** The clerk's own lines: of today, and of the last 60 minutes with the first of them. */
  mine: z.object({
    accepted: count,
    duplicates: count,
    rejected: count,
    lastHour: count,
    lastHourSince: text,
  }),
  /** The open ones, by number. */
  sheets: z.array(sheetSchema),
  /** The one that was asked for; null when none was, or it is not there. */
  sheet: sheetAtHandSchema.nullable(),
  /** The newest first. */
  lines: z.array(lineSchema),
});
export type EntryState = z.infer<typeof entryStateSchema>;

/** Who else has a sheet open, and at which line: a name, null when there is none of her account any more. */
const hereSchema = z.object({ name: text, line: count });
export type Here = z.infer<typeof hereSchema>;

/** The state, and who else has the sheet open that was asked for. */
export const stateAnswer = entryStateSchema.extend({ here: z.array(hereSchema) });
export type StateAnswer = z.infer<typeof stateAnswer>;

/** Why a change can never be stored as it is, beside a line that is taken. */
export const refusalReasons = [
  "invalid",
  "not-allowed",
  "not-found",
  "archived",
  "outside-dates",
  "id-taken",
  "reason-missing",
] as const;

const changeOutcomeSchema = z.discriminatedUnion("outcome", [
  z.object({
    outcome: z.literal("stored"),
    /** Of a line, unless it was taken back meanwhile. */
    verdict: z.enum(verdicts).optional(),
    /** Of opening and closing one. */
    sheet: sheetSchema.optional(),
  }),
  z.object({ outcome: z.literal("duplicate"), of: signedAtSchema.nullable() }),
  z.object({ outcome: z.literal("line-taken"), taken: lineSchema, error: z.string() }),
  z.object({ outcome: z.literal("refused"), why: z.enum(refusalReasons), error: z.string() }),
  /** To be sent again, with all that stood behind it. */
  z.object({ outcome: z.literal("later") }),
]);
/** What came of a change; the same when it is sent again, but for `later`. */
export type ChangeOutcome = z.infer<typeof changeOutcomeSchema>;

/** What came of the changes of a request, in their order; a change without a readable id has none here either. */
export const changesAnswer = z.object({
  outcomes: z.array(z.object({ id: z.string().nullable() }).and(changeOutcomeSchema)),
});
export type ChangesAnswer = z.infer<typeof changesAnswer>;

/** Where voters have signed; those who have not are not in it. */
export const signedAnswer = z.object({ signed: byVoterId(signedAtSchema) });
