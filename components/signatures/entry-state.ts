import * as z from "zod/mini";
import { verdicts } from "@/lib/signatures/verdicts";

const text = z.nullable(z.string());
const count = z.number();

const sheetSchema = z.object({
  number: count,
  /** Who works on it: who started or resumed it last. */
  openedBy: text,
  mine: z.boolean(),
  openedAt: z.string(),
  closedAt: text,
  lines: count,
  nextLine: count,
});

const lineSchema = z.object({
  id: z.string(),
  verdict: z.enum(verdicts),
  voterId: text,
  firstName: text,
  lastName: text,
  city: text,
  zip: text,
  sheet: z.nullable(count),
  line: z.nullable(count),
  note: text,
  enteredAt: z.string(),
  removedAt: text,
});

const stateSchema = z.object({
  /** When it was read, ISO 8601. */
  at: z.string(),
  timeZone: z.string(),
  /** YYYY-MM-DD in the time zone. */
  today: z.string(),
  goal: z.nullable(count),
  startsOn: text,
  endsOn: text,
  campaign: z.object({ accepted: count }),
  mine: z.object({
    accepted: count,
    duplicates: count,
    rejected: count,
    lastHour: count,
    lastHourSince: text,
  }),
  days: z.array(z.object({ day: z.string(), accepted: count })),
  sheets: z.array(sheetSchema),
  lines: z.array(lineSchema),
});

/** What Signet has stored, as far as the entry screen shows it. */
export type EntryState = z.infer<typeof stateSchema>;
export type Sheet = z.infer<typeof sheetSchema>;
export type StoredLine = z.infer<typeof lineSchema>;

/** Reads the state as the server tells it; null for anything else. */
export function readEntryState(body: unknown): EntryState | null {
  const parsed = stateSchema.safeParse(body);
  return parsed.success ? parsed.data : null;
}
