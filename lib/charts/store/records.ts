import "server-only";
import { z } from "zod";
import type { AskedCell } from "@/lib/charts/definition/result";
import { type ChartSource, chartSourceSchema } from "@/lib/charts/definition/source";
import { type ChartValues, recordsAnswer, valuesAnswer } from "@/lib/charts/definition/stored-chart";
import { csvValue } from "@/lib/charts/display/csv";
import { requireDone } from "@/lib/charts/store/change";
import { runInTime } from "@/lib/charts/store/generate";
import { type CsvPiece, csv, csvRow } from "@/lib/format/csv";
import type { Place } from "@/lib/ids";
import { logFailure } from "@/lib/log-event";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const pageSchema = recordsAnswer.extend({
  /** What asks for the following page, whatever comes and goes meanwhile; null when there is none. */
  next: z.object({ after: z.object({ sorted: z.string(), words: z.string() }), offset: z.int() }).nullable(),
});
type RecordsPage = z.infer<typeof pageSchema>;

/**
 * A page of exactly the records that a number of a chart counts: of the group, with filters and segment, and where the
 * metric has a column, with a value there. At most 5 000 a page. Needs `charts.view` and `signatures.view` in the place, which is asked again here. Throws
 * ChartProblem, AppError `forbidden`, or `gateway-timeout` after 15 s.
 */
export async function listChartRecords({
  actorId,
  place,
  cell,
  offset,
  limit,
  after = null,
}: {
  actorId: string;
  place: Place;
  cell: AskedCell;
  offset: number;
  limit: number;
  after?: NonNullable<RecordsPage["next"]>["after"] | null;
}): Promise<RecordsPage> {
  const call = createAdminClient().rpc("chart_records", {
    p_actor_id: actorId,
    p_team_id: place.team,
    p_campaign_id: place.campaign ?? null,
    p_cell: cell,
    p_offset: offset,
    p_limit: limit,
    p_after: after ?? null,
  });
  const answer = await runInTime(call);
  if (typeof answer === "string") requireDone(answer);
  return pageSchema.parse(answer);
}

const pageSize = 5_000;

/**
 * The records behind a number of a chart as a CSV file, in pieces: a head row, then one row a record. Needs what
 * `listChartRecords` needs and throws what it throws, before the first piece.
 */
export async function recordsCsv({
  actorId,
  place,
  cell,
}: {
  actorId: string;
  place: Place;
  cell: AskedCell;
}): Promise<AsyncIterable<CsvPiece>> {
  const read = (from: Pick<Parameters<typeof listChartRecords>[0], "offset" | "after">) =>
    listChartRecords({ actorId, place, cell, ...from, limit: pageSize });
  const first = await read({ offset: 0 });
  return (async function* () {
    yield { text: csv([first.columns.map(({ label }) => label)]), rowCount: 0 };
    for (let page = first; ; page = await read(page.next)) {
      const text = page.records.map((record) => csvRow(record.map(csvValue))).join("");
      yield { text, rowCount: page.records.length };
      if (page.records.length < pageSize || page.next === null) return;
    }
  })();
}

/**
 * Up to 20 values that a column has in a place, the most frequent first, with how many records have each; only those
 * whose text begins with the prefix, whatever its case. For the builder: guard `charts.edit` first. Throws ChartProblem, or
 * AppError `forbidden` for a column that tells who signed when the actor lacks `signatures.view` there.
 */
export async function listChartValues({
  actorId,
  place,
  source,
  column,
  prefix,
}: {
  actorId: string;
  place: Place;
  source: string;
  column: string;
  prefix: string;
}): Promise<ChartValues["values"]> {
  const call = createAdminClient().rpc("chart_values", {
    p_actor_id: actorId,
    p_source: source,
    p_team_id: place.team,
    p_campaign_id: place.campaign ?? null,
    p_column: column,
    p_prefix: prefix,
  });
  return valuesAnswer.shape.values.parse(await runInTime(call));
}

/** What charts may read: the views of schema `reporting`, with the words and the types of their columns. */
export async function listChartSources(): Promise<ChartSource[]> {
  return z.array(chartSourceSchema).parse(unwrap(await createAdminClient().rpc("chart_sources")));
}

const answerSchema = z.record(z.string(), z.array(z.string()));
export type EmptyColumns = z.infer<typeof answerSchema>;

/**
 * The columns of each source that no record of a place has a value in. It only shortens what the builder offers: where it
 * cannot be told, there are none. Guard `charts.edit` first.
 */
export async function listEmptyColumns(place: Place): Promise<EmptyColumns> {
  const call = createAdminClient().rpc("chart_empty_columns", {
    p_team_id: place.team,
    p_campaign_id: place.campaign ?? null,
  });
  try {
    return answerSchema.parse(await runInTime(call));
  } catch (thrown) {
    logFailure("The columns without values are not known.", thrown);
    return {};
  }
}
