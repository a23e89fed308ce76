import type { Format } from "@/lib/format/format-of";

/** How long some days are, in the unit that one would say: `9 days`, `8 weeks`, `5 months`. */
export function spanText(days: number, { count }: Pick<Format, "count">): string {
  if (days < 21) return count(days, "day");
  return days < 100 ? count(Math.round(days / 7), "week") : count(Math.round(days / 30.44), "month");
}
