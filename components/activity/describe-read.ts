import { areaLabels, readKindLabels } from "@/components/activity/filter-forms";
import type { AccessLogFilter, ActivityFilter } from "@/lib/activity/activity-filter";
import type { ReadEntry } from "@/lib/activity/reads";
import { listConditions, operatorLabel } from "@/lib/charts/definition/operators";
import { cellQuerySchema } from "@/lib/charts/definition/result";
import type { ChartSource } from "@/lib/charts/definition/source";
import { formatGroupValue, metricLabel } from "@/lib/charts/display/chart-text";
import type { Format } from "@/lib/format/format-of";
import { type RegisterFilter, registerFilterLabels } from "@/lib/signatures/register/filter";
import { verdictWords } from "@/lib/signatures/verdicts";
import type { MembersFilter } from "@/lib/team-access/members-filter";
import { fieldNames } from "@/lib/voters/voter-query";
import { fieldWords } from "@/lib/voters/voter-text";

/** The names of the members, roles and campaigns that filters name by id, and the sources of charts. */
export type ReadLabels = { names: ReadonlyMap<string, string>; sources: ChartSource[] };

/** What was read, to follow the name of the person; `filter` is the filter of a file in words. */
export type DescribedRead = { what: string; filter: string[] };

/** An entry of the read log in plain words. */
export function describeRead(read: ReadEntry, labels: ReadLabels, format: Format): DescribedRead {
  const { kind, filter, rowCount } = read;
  const campaign = read.campaign ?? "a deleted campaign";
  switch (kind) {
    case "sign-in":
      return { what: `signed in with ${String(filter.device)}`, filter: [] };
    case "search":
      return { what: searchText(read, format), filter: [] };
    case "register":
      return {
        what: `exported the signatures of ${campaign} (${format.count(rowCount, "line")})`,
        filter: describeFilter(filter, labels, format),
      };
    case "members":
      return {
        what: `exported the member list (${format.count(rowCount, "member")})`,
        filter: describeFilter(filter, labels, format),
      };
    case "activity":
      return {
        what: `exported the activity (${format.count(rowCount, "entry", "entries")})`,
        filter: describeFilter(filter, labels, format),
      };
    case "records": {
      const place = read.campaign === null ? "" : ` in ${read.campaign}`;
      const records = format.count(rowCount, "record");
      return {
        what: `exported the records behind the chart “${String(filter.name)}”${place} (${records})`,
        filter: describeCell(filter, labels, format),
      };
    }
  }
}

function searchText({ filter, rowCount, matchCount }: ReadEntry, { number, count }: Format) {
  const conditions = fieldNames.flatMap((field) => {
    const text = typeof filter[field] === "string" ? filter[field].trim() : "";
    return text === "" ? [] : [`${fieldWords(field)} ${text}`];
  });
  const what = filter.similar === true ? "searched voters for near matches" : "searched voters";
  const matches = matchCount ?? rowCount;
  const from = typeof filter.queryFrom === "number" ? filter.queryFrom : 0;
  const shown =
    rowCount === matches
      ? ""
      : rowCount === 0
        ? ", none shown"
        : `, ${number(from + 1)}–${number(from + rowCount)} shown`;
  return `${what}: ${conditions.join(", ") || "no filter"} — ${matches === 0 ? "no matches" : count(matches, "match", "matches")}${shown}`;
}

type FilterField = Exclude<
  keyof RegisterFilter | keyof MembersFilter | keyof ActivityFilter | keyof AccessLogFilter,
  "sort" | "before"
>;
const labels: Record<FilterField, string> = {
  ...registerFilterLabels,
  words: "Search",
  role: "Role",
  campaignRole: "Campaign role",
  status: "Status",
  campaign: "Campaign",
  area: "Changes to",
  actor: "Made by",
  subject: "Person affected",
  from: "From",
  to: "To",
  kind: "Shown",
};
const filterLabels = {
  "not-blank": "all except blank",
  removed: "only",
  all: "included",
  reads: "Sign-ins, exports, and searches",
};
const valueLabels: Record<string, string> = { ...verdictWords, ...areaLabels, ...readKindLabels, ...filterLabels };
const uuid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;
const day = /^\d{4}-\d\d-\d\d$/;

/** The parts of a filter in words: `Campaign: Clean water`. */
export function describeFilter(filter: ReadEntry["filter"], { names }: Pick<ReadLabels, "names">, format: Format) {
  return Object.entries(labels).flatMap(([key, label]) => {
    const value = filter[key];
    if (value === undefined || value === null) return [];
    const text = String(value);
    if (["verdict", "area", "kind", "state"].includes(key)) return [`${label}: ${valueLabels[text] ?? text}`];
    if (day.test(text)) return [`${label}: ${format.day(text)}`];
    return [`${label}: ${names.get(text) ?? (uuid.test(text) ? "no longer on the team" : text)}`];
  });
}

function describeCell(filter: ReadEntry["filter"], { sources }: ReadLabels, format: Format) {
  const { data: cell } = cellQuerySchema.safeParse(filter);
  const source = sources.find(({ name }) => name === cell?.source);
  if (!cell || !source) return ["The filter is too long to show here."];
  const columnOf = (name: string) =>
    source.columns.find((column) => column.name === name) ?? { label: name, type: "text" as const };
  const group = Object.entries(cell.group).map(([name, value]) => {
    const { label, ...column } = columnOf(name);
    return `${label}: ${formatGroupValue(value, column, format)}`;
  });
  const filters = [...cell.filters, ...(cell.metric.segment ?? [])].map((filter) => {
    const alternatives = listConditions([filter]).map(({ column: name, operator, value }) => {
      const { type } = columnOf(name);
      return `${columnOf(name).label} ${operatorLabel(operator, type)} ${formatGroupValue(value, { name, type }, format)}`;
    });
    return alternatives.join(" or ");
  });
  const measure = metricLabel(cell.metric, source.columns, source.name);
  return [source.label, ...group, ...filters, ...(measure === source.label ? [] : [measure])];
}
