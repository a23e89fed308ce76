import { z } from "zod";
import { byVoterId } from "@/lib/ids";
import { sheetLineSchema, sheetSchema, signedAtSchema } from "@/lib/signatures/line-outcome";
import { verdicts } from "@/lib/signatures/verdicts";

const text = z.string().nullable();
const count = z.int();

const storedLineSchema = z.object({
  id: z.uuid(),
  verdict: z.enum(verdicts),
  voterId: text,
  firstName: text,
  lastName: text,
  city: text,
  zip: text,
  sheet: count.nullable(),
  line: count.nullable(),
  note: text,
  /** ISO 8601 in UTC. */
  enteredAt: z.string(),
  /** When it was undone, or null. */
  removedAt: text,
});
export type StoredLine = z.infer<typeof storedLineSchema>;

/** The sheet that a clerk works on, with its live lines in the order of the paper. */
export const sheetAtHandSchema = sheetSchema.extend({ keyed: z.array(sheetLineSchema) });
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
  /** Accepted lines of the campaign on each of the last days that have any, in the team's time zone. */
  days: z.array(z.object({ day: z.iso.date(), accepted: count })),
  /** The open ones, by number. */
  sheets: z.array(sheetSchema),
  /** The one that was asked for; null when none was, or it is not there. */
  sheet: sheetAtHandSchema.nullable(),
  /** The newest first. */
  lines: z.array(storedLineSchema),
});
export type EntryState = z.infer<typeof entryStateSchema>;

/** Where voters have signed; those who have not are not in it. */
export const signedAnswer = z.object({ signed: byVoterId(signedAtSchema) });
