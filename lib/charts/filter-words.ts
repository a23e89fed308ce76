import type { DashboardFilter } from "@/lib/charts/dashboard-filter";
import type { FilterChoices } from "@/lib/charts/read-dashboard";
import type { Format } from "@/lib/format/format-of";

/** A dashboard's filter in words, for paper and images: `Only keyed last 7 days · county King`. Null where it is none. */
export function filterWords(
  { days, from, to, county, clerk, circulator }: DashboardFilter,
  { clerks }: Pick<FilterChoices, "clerks">,
  format: Format,
): string | null {
  const words = [
    days && `keyed ${days}`,
    from && `keyed from ${format.day(from)}`,
    to && `keyed until ${format.day(to)}`,
    county !== undefined && `county ${county || "not given"}`,
    clerk && `clerk ${clerks.find(({ id }) => id === clerk)?.name ?? "somebody else"}`,
    circulator && `circulator ${circulator}`,
  ].filter(Boolean);
  return words.length === 0 ? null : `Only ${words.join(" · ")}`;
}
