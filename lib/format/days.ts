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

/** A wall-clock time (`2026-11-03T14:30`) in a time zone, as ISO 8601 in UTC. Null if it isn't a time. */
export function fromWallClock(text: string, timeZone: string): string | null {
  const asIfUtcMs = Date.parse(`${text}Z`);
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) || Number.isNaN(asIfUtcMs)) return null;
  // The offset at that time. It is read twice, because it may change between the guess and the time.
  const guessMs = asIfUtcMs - offsetMsAt(asIfUtcMs, timeZone);
  return new Date(asIfUtcMs - offsetMsAt(guessMs, timeZone)).toISOString();
}

/**
 * An ISO 8601 time as the wall-clock time in a time zone: to the minute, or with its seconds if it has any. An empty text if
 * it isn't a time.
 */
export function toWallClock(timestamp: string, timeZone: string): string {
  const timeMs = Date.parse(timestamp);
  if (Number.isNaN(timeMs)) return "";
  return new Date(timeMs + offsetMsAt(timeMs, timeZone)).toISOString().replace(/(:00)?\.000Z$|Z$/, "");
}

/** A time as CSV files have it, in a time zone: `2026-11-03 14:30`. */
export const toCsvTime = (timestamp: string, timeZone: string): string =>
  toWallClock(timestamp, timeZone).slice(0, 16).replace("T", " ");

/** A time in a time zone with its offset: `2026-11-03T14:30:00-08:00`. */
export function toOffsetTime(timestamp: string, timeZone: string): string {
  const timeMs = Date.parse(timestamp);
  const offsetMs = offsetMsAt(timeMs, timeZone);
  const hours = new Date(Math.abs(offsetMs)).toISOString().slice(11, 16);
  return `${new Date(timeMs + offsetMs).toISOString().slice(0, 19)}${offsetMs < 0 ? "-" : "+"}${hours}`;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function getFormatter(timeZone: string) {
  const cached = formatters.get(timeZone);
  if (cached) return cached;
  const date = { year: "numeric", month: "numeric", day: "numeric" } as const;
  const time = { hour: "numeric", minute: "numeric", second: "numeric", hourCycle: "h23" } as const;
  const formatter = new Intl.DateTimeFormat("en-US", { ...date, ...time, timeZone });
  formatters.set(timeZone, formatter);
  return formatter;
}

function offsetMsAt(timeMs: number, timeZone: string) {
  const parts = getFormatter(timeZone).formatToParts(timeMs);
  const partValue = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const wallClockMs = Date.UTC(
    partValue("year"),
    partValue("month") - 1,
    partValue("day"),
    partValue("hour"),
    partValue("minute"),
    partValue("second"),
  );
  return wallClockMs - Math.floor(timeMs / 1000) * 1000;
}

/** The day on which a time falls in a time zone, as YYYY-MM-DD. */
export function dayIn(timeZone: string, timestamp: string | Date): string {
  return toWallClock(new Date(timestamp).toISOString(), timeZone).slice(0, 10);
}

/** The time zone of this browser, an IANA name. */
export const browserTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
