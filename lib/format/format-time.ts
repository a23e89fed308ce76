/** A time, given as ISO 8601, as people of a time zone write it: `14 Mar 2027, 16:05`. */
export function formatTime(at: string, timeZone: string): string {
  const day = { day: "numeric", month: "short", year: "numeric" } as const;
  return new Intl.DateTimeFormat("en-GB", { ...day, hour: "2-digit", minute: "2-digit", timeZone }).format(
    new Date(at),
  );
}
