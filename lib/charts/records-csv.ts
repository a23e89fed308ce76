import "server-only";
import type { AskedCell } from "@/lib/charts/asked-cell";
import { csvValue } from "@/lib/charts/chart-csv";
import { listChartRecords } from "@/lib/charts/list-chart-records";
import { csv, csvRow } from "@/lib/format/csv";
import type { Place } from "@/lib/ids";

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
}): Promise<AsyncIterable<string>> {
  const read = (from: Pick<Parameters<typeof listChartRecords>[0], "offset" | "after">) =>
    listChartRecords({ actorId, place, cell, ...from, limit: pageSize });
  const first = await read({ offset: 0 });
  return (async function* () {
    yield csv([first.columns.map(({ label }) => label)]);
    for (let page = first; ; page = await read(page.next)) {
      yield page.records.map((record) => csvRow(record.map(csvValue))).join("");
      if (page.records.length < pageSize || page.next === null) return;
    }
  })();
}
