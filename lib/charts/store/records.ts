import "server-only";
import { z } from "zod";
import type { CellQuery, RecordsSort } from "@/lib/charts/definition/result";
import { type ChartColumn, type ChartSource, chartSourceSchema } from "@/lib/charts/definition/source";
import { type ChartValues, recordsResponseSchema, valuesResponseSchema } from "@/lib/charts/definition/stored-chart";
import { resultLabels } from "@/lib/charts/display/chart-text";
import { csvValue } from "@/lib/charts/display/csv";
import { chartRefusals } from "@/lib/charts/messages";
import { callInTime } from "@/lib/charts/store/generate";
import { type ActorAndPlace, scopeArgs } from "@/lib/charts/store/read";
import { type CsvPiece, csv, csvRow } from "@/lib/format/csv";
import { toCsvTime } from "@/lib/format/days";
import type { Place } from "@/lib/ids";
import { logFailure } from "@/lib/log-event";
import { callSql, placeArgs } from "@/lib/supabase/call-sql";

const pageSchema = recordsResponseSchema.extend({
  /** What asks for the next page, whatever is added or removed in between; null when there is none. */
  next: z.object({ after: z.object({ sorted: z.string(), rowText: z.string() }), offset: z.int() }).nullable(),
});
type RecordsPage = z.infer<typeof pageSchema>;
type RecordsQuery = ActorAndPlace & {
  cell: CellQuery;
  offset: number;
  limit: number;
  /** Newest first without it. A sorted page has no `next`. */
  sort?: RecordsSort | null;
  after?: NonNullable<RecordsPage["next"]>["after"] | null;
};

/**
 * A page of exactly the records that a number of a chart counts: those of the group, under filters and segment, with a
 * value in the metric's column. At most 5,000 a page. The database checks `charts.view` and `signatures.view` again. Throws
 * AppError `forbidden`, or what `callInTime` throws.
 */
export async function listChartRecords({ cell, offset, limit, sort = null, after = null, ...scope }: RecordsQuery) {
  const args = { ...scopeArgs(scope), p_cell: cell, p_offset: offset, p_limit: limit, p_after: after, p_sort: sort };
  return callInTime("chart_records", args, pageSchema, { refusals: chartRefusals });
}

const pageSize = 5_000;

/**
 * The records behind a number of a chart as a CSV file, in pieces. A status is in words, a time in the time zone. Needs and
 * throws what `listChartRecords` does, before the first piece.
 */
export async function recordsCsv({
  timeZone,
  ...query
}: ActorAndPlace & Pick<RecordsQuery, "cell" | "sort"> & { timeZone: string }): Promise<AsyncIterable<CsvPiece>> {
  const read = (from: Pick<RecordsQuery, "offset" | "after">) =>
    listChartRecords({ ...query, ...from, limit: pageSize });
  const first = await read({ offset: 0 });
  const toCell = (value: unknown, column: ChartColumn | undefined) => {
    if (column?.name === "verdict") return resultLabels.get(String(value)) ?? csvValue(value);
    return column?.type === "time" && typeof value === "string" ? toCsvTime(value, timeZone) : csvValue(value);
  };
  return (async function* () {
    yield { text: csv([first.columns.map(({ label }) => label)]), rowCount: 0 };
    for (let [page, offset] = [first, pageSize]; ; offset += pageSize) {
      const rows = page.records.map((cells) => csvRow(cells.map((cell, index) => toCell(cell, first.columns[index]))));
      yield { text: rows.join(""), rowCount: rows.length };
      if (rows.length < pageSize) return;
      page = await read(page.next ?? { offset }); // a sorted page has no `next`
    }
  })();
}

type ValuesQuery = ActorAndPlace & { source: string; column: string; prefix: string };

/**
 * Up to 20 values of a column in a place, the most frequent first, with how many records have each. Only values that begin
 * with the prefix, in any case. For the builder: guard `charts.edit` first. Throws what `callInTime` throws.
 */
export async function listChartValues({
  source,
  column,
  prefix,
  ...scope
}: ValuesQuery): Promise<ChartValues["values"]> {
  const args = { ...scopeArgs(scope), p_source: source, p_column: column, p_prefix: prefix };
  return callInTime("chart_values", args, valuesResponseSchema.shape.values);
}

/** What charts may read: the views of schema `reporting`, with the labels and types of their columns. */
export async function listChartSources(): Promise<ChartSource[]> {
  return callSql("chart_sources", {}, z.array(chartSourceSchema));
}

const emptySchema = z.record(z.string(), z.array(z.string()));
export type EmptyColumns = z.infer<typeof emptySchema>;

/**
 * The columns of each source that are empty in a place. They only shorten what the builder offers, so a failure returns
 * none. Guard `charts.edit` first.
 */
export async function listEmptyColumns(place: Place): Promise<EmptyColumns> {
  try {
    return await callInTime("chart_empty_columns", placeArgs(place), emptySchema);
  } catch (thrown) {
    logFailure("The empty columns of chart sources could not be read.", thrown);
    return {};
  }
}
