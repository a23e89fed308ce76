import type { DashboardFilter } from "@/lib/charts/definition/dashboard-filter";
import type { ChartFilter } from "@/lib/charts/definition/definition";
import type { ChartColumn } from "@/lib/charts/definition/source";
import type { Format } from "@/lib/format/format-of";
import type { Place } from "@/lib/ids";
import { queryText } from "@/lib/query-text";

/** Whether a filter narrows anything. */
export const hasFilter = (filter: DashboardFilter) => Object.values(filter).some((value) => value !== undefined);

/** The conditions of a filter on a source with these columns, and the names of filters that it has no column for. */
export function toConditions(
  { days, from, to, county, clerk, circulator }: DashboardFilter,
  columns: ChartColumn[],
): { filters: ChartFilter[]; missing: string[] } {
  const conditions = [
    { label: "entry date", column: "entered_at_day", operator: "eq", value: days },
    { label: "entry date", column: "entered_at_day", operator: "gte", value: from },
    { label: "entry date", column: "entered_at_day", operator: "lte", value: to },
    { label: "county", column: "county", ...oneOf(county?.map((name) => name || null)) },
    { label: "clerk", column: "entered_by", ...oneOf(clerk) },
    { label: "circulator", column: "circulator", ...oneOf(circulator) },
  ] as const;
  const filters: ChartFilter[] = [];
  const missing = new Set<string>();
  for (const { label, value, ...filter } of conditions) {
    if (value === undefined) continue;
    if (columns.some(({ name }) => name === filter.column)) filters.push({ ...filter, value });
    else missing.add(label);
  }
  return { filters, missing: [...missing] };
}

const oneOf = (values: (string | null)[] = []) =>
  values.length > 1 ? { operator: "in" as const, value: values } : { operator: "eq" as const, value: values[0] };

/** A dashboard's filter for printouts and images: `Only entered in the last 7 days · county King`; null if there is none. */
export function filterSummary(
  { days, from, to, county, clerk, circulator }: DashboardFilter,
  clerks: { id: string; name: string }[],
  format: Format,
): string | null {
  const words = [
    days && `entered ${days.endsWith("days") ? `in the ${days}` : days}`,
    from && `entered ${to ? "from" : "since"} ${format.day(from)}${to ? ` to ${format.day(to)}` : ""}`,
    to && !from && `entered through ${format.day(to)}`,
    county && (county.join("") ? `county ${county.map((name) => name || "none").join(" or ")}` : "no county"),
    clerk && `clerk ${clerk.map((clerkId) => clerks.find(({ id }) => id === clerkId)?.name ?? "unknown").join(" or ")}`,
    circulator && `circulator ${circulator.join(" or ")}`,
  ].filter(Boolean);
  return words.length === 0 ? null : `Only ${words.join(" · ")}`;
}

/** The name of a text card: its first line without marks, up to 120 characters. */
export function textTitle(text: string): string {
  const [line = ""] = text.trim().split("\n");
  return Array.from(line.replace(/^([#*-]|\d{1,9}\.) /, "").replace(/\*\*(\S|\S.*?\S)\*\*/g, "$1"))
    .slice(0, 120)
    .join("")
    .trim();
}

/** How many minutes old a dashboard's numbers may get; null: they're only computed on request. */
export const maxAges = [
  [5, "Every 5 minutes"],
  [15, "Every 15 minutes"],
  [60, "Every hour"],
  [1440, "Every day"],
  [null, "Off"],
] as const;
export type MaxAge = (typeof maxAges)[number][0];

/** A dashboard next to the first one of its place. */
export type NamedDashboard = { id: string; name: string };

/** The path of the dashboard of a campaign or team. */
export function dashboardPath({ team, campaign }: Place): string {
  return campaign === undefined ? `/${team}/dashboard` : `/${team}/campaign/${campaign}/dashboard`;
}

/** The address of one of its dashboards; the first one has no id. */
export function dashboardHref(
  place: Place,
  dashboardId: string | null,
  query: { [Name in keyof DashboardFilter]: DashboardFilter[Name] | undefined } & { deleted?: string | undefined } = {},
): string {
  return dashboardPath(place) + queryText({ board: dashboardId ?? undefined, ...query });
}
