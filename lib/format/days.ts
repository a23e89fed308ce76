const msPerDay = 86_400_000;

/** Whether a date field has a whole year: browsers report the year 0002 while 2026 is typed. */
export const hasWholeYear = (day: string): boolean => day >= "1000";

/** How many days after another one a day is, both YYYY-MM-DD. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / msPerDay);
}

/** The day, YYYY-MM-DD, a number of days after another one. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * msPerDay).toISOString().slice(0, 10);
}

/** A wall-clock time (`2026-11-03T14:30`) in a time zone, as ISO 8601 in UTC; null if it isn't a time. */
export function fromWallClock(text: string, timeZone: string): string | null {
  const asIfUtc = Date.parse(`${text}Z`);
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) || Number.isNaN(asIfUtc)) return null;
  // The offset at that time. It is read twice, because it may change between the guess and the time.
  const guess = asIfUtc - offsetAt(asIfUtc, timeZone);
  return new Date(asIfUtc - offsetAt(guess, timeZone)).toISOString();
}

/**
 * An ISO 8601 time as the wall-clock time in a time zone: to the minute, or with its seconds if it has any. An empty text if
 * it isn't a time.
 */
export function toWallClock(at: string, timeZone: string): string {
  const moment = Date.parse(at);
  if (Number.isNaN(moment)) return "";
  return new Date(moment + offsetAt(moment, timeZone)).toISOString().replace(/(:00)?\.000Z$|Z$/, "");
}

/** A time as CSV files have it, in a time zone: `2026-11-03 14:30`. */
export const toCsvTime = (at: string, timeZone: string): string =>
  toWallClock(at, timeZone).slice(0, 16).replace("T", " ");

/** A time in a time zone with its offset: `2026-11-03T14:30:00-08:00`. */
export function toOffsetTime(at: string, timeZone: string): string {
  const moment = Date.parse(at);
  const offset = offsetAt(moment, timeZone);
  const hours = new Date(Math.abs(offset)).toISOString().slice(11, 16);
  return `${new Date(moment + offset).toISOString().slice(0, 19)}${offset < 0 ? "-" : "+"}${hours}`;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function getClock(timeZone: string) {
  const known = clocks.get(timeZone);
  if (known) return known;
  const date = { year: "numeric", month: "numeric", day: "numeric" } as const;
  const time = { hour: "numeric", minute: "numeric", second: "numeric", hourCycle: "h23" } as const;
  const clock = new Intl.DateTimeFormat("en-US", { ...date, ...time, timeZone });
  clocks.set(timeZone, clock);
  return clock;
}

function offsetAt(moment: number, timeZone: string) {
  const parts = getClock(timeZone).formatToParts(moment);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const shown = Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"), of("second"));
  return shown - Math.floor(moment / 1000) * 1000;
}

/** The day on which a moment falls in a time zone, as YYYY-MM-DD. */
export function dayIn(timeZone: string, at: string | Date): string {
  return toWallClock(new Date(at).toISOString(), timeZone).slice(0, 10);
}

/** The time zone of this browser, an IANA name. */
export const browserTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
