import { toWallClock } from "@/lib/format/wall-clock";

/** The day on which a moment falls in a time zone, as YYYY-MM-DD. */
export function dayIn(timeZone: string, at: string | Date): string {
  return toWallClock(new Date(at).toISOString(), timeZone).slice(0, 10);
}
