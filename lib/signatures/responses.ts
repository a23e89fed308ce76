import { z } from "zod";
import { byVoterId } from "@/lib/ids";
import { lineSchema, sheetSchema, signedAtSchema } from "@/lib/signatures/line";
import { verdicts } from "@/lib/signatures/verdicts";

const text = z.string().nullable();
const count = z.int();

/** The open sheet of a clerk, with its lines in the order of the paper. */
const currentSheetSchema = sheetSchema.extend({ entered: z.array(lineSchema.extend({ line: count })) });
export type CurrentSheet = z.infer<typeof currentSheetSchema>;

/** What the entry screen shows: counts, sheets and the clerk's last lines. */
export const entryStateSchema = z.object({
  /** When it was read, ISO 8601 in UTC. */
  at: z.string(),
  timeZone: z.string(),
  /** YYYY-MM-DD in the team's time zone. */
  today: z.iso.date(),
  goal: count.nullable(),
  startsOn: text,
  endsOn: text,
  /** Lines that a sheet of the campaign has. */
  linesPerSheet: count,
  /** Districts whose voters may sign, separated by commas; null for all. */
  districts: text,
  /** The accepted lines of all teams together. */
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
  /** The number after the highest, open or closed. */
  nextSheet: count,
  /** The one that was asked for, if it exists. */
  sheet: currentSheetSchema.nullable(),
  /** The clerk's last lines, newest first. */
  lines: z.array(lineSchema),
});
export type EntryState = z.infer<typeof entryStateSchema>;

/** Someone else who has the sheet open, and at which line. Their name is null for a deleted account. */
const hereSchema = z.object({ name: text, line: count });
export type PresentClerk = z.infer<typeof hereSchema>;

export const entryStateResponseSchema = entryStateSchema.extend({ here: z.array(hereSchema) });
export type EntryStateResponse = z.infer<typeof entryStateResponseSchema>;

/** Why a change can never be stored as it is, besides a line that is taken. */
export const refusalReasons = [
  "invalid",
  "not-allowed",
  "not-found",
  "archived",
  "outside-dates",
  "id-taken",
  "reason-missing",
  "line-taken",
  "duplicate",
  "sheet-closed",
] as const;

const changeOutcomeSchema = z.discriminatedUnion("outcome", [
  z.object({
    outcome: z.literal("stored"),
    /** The stored line's verdict, unless it was already undone. */
    verdict: z.enum(verdicts).optional(),
    /** The sheet that was opened or closed. */
    sheet: sheetSchema.optional(),
  }),
  z.object({ outcome: z.literal("duplicate"), of: signedAtSchema.nullable() }),
  z.object({ outcome: z.literal("line-taken"), taken: lineSchema, error: z.string() }),
  z.object({ outcome: z.literal("refused"), why: z.enum(refusalReasons), error: z.string() }),
  /** To be sent again, with all changes after it. */
  z.object({ outcome: z.literal("later") }),
]);
/** The outcome of a change. Except for `later`, it is the same when the change is sent again. */
export type ChangeOutcome = z.infer<typeof changeOutcomeSchema>;

/** The outcomes of a request's changes, in order. Of a change without a readable id, the id is null. */
export const changesResponseSchema = z.object({
  outcomes: z.array(z.object({ id: z.string().nullable() }).and(changeOutcomeSchema)),
});
export type ChangesResponse = z.infer<typeof changesResponseSchema>;

/** Where voters have signed; others are missing. */
export const signedResponseSchema = z.object({ signed: byVoterId(signedAtSchema) });
