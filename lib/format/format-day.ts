const format = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

/** A day, given as YYYY-MM-DD, as people write it: `14 Mar 2027`. */
export function formatDay(day: string): string {
  return format.format(new Date(`${day}T00:00:00Z`));
}
