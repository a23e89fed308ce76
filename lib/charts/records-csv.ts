import "server-only";
import type { AskedCell } from "@/lib/charts/asked-cell";
import { csvValue } from "@/lib/charts/chart-csv";
import { listChartRecords } from "@/lib/charts/list-chart-records";
import { type CsvPiece, csv, csvRow } from "@/lib/format/csv";
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
