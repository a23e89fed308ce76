import type { ChartFilter } from "@/lib/charts/chart-filter";
import type { ChartColumn } from "@/lib/charts/chart-source";
import type { DashboardFilter } from "@/lib/charts/dashboard-filter";

/** Whether a filter narrows anything. */
export const narrows = (filter: DashboardFilter) => Object.values(filter).some((value) => value !== undefined);

/** The conditions of a filter on a source with these columns, and the words of what it has no column for. */
export function narrowTo(
  { days, from, to, county, clerk, circulator }: DashboardFilter,
  columns: ChartColumn[],
): { filters: ChartFilter[]; missing: string[] } {
  const asked: [words: string, filter: ChartFilter | undefined][] = [
    ["days", days === undefined ? undefined : { column: "entered_at_day", operator: "eq", value: days }],
    ["days", from === undefined ? undefined : { column: "entered_at_day", operator: "gte", value: from }],
    ["days", to === undefined ? undefined : { column: "entered_at_day", operator: "lte", value: to }],
    ["county", county === undefined ? undefined : { column: "county", operator: "eq", value: county || null }],
    ["clerk", clerk === undefined ? undefined : { column: "entered_by", operator: "eq", value: clerk }],
    ["circulator", circulator === undefined ? undefined : { column: "circulator", operator: "eq", value: circulator }],
  ];
  const given = asked.flatMap(([words, filter]) => (filter ? [{ words, filter }] : []));
  const has = ({ filter }: (typeof given)[number]) => columns.some(({ name }) => name === filter.column);
  const missing = given.filter((one) => !has(one)).map(({ words }) => words);
  return { filters: given.filter(has).map(({ filter }) => filter), missing: [...new Set(missing)] };
}
