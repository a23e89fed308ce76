import { type CsvValue, csv } from "@/lib/format/csv";
import type { Entry } from "@/lib/signatures/queue/entry";

const columns = [
  ...[
    "sheet",
    "line",
    "verdict",
    "voterId",
    "lastName",
    "firstName",
    "houseNumber",
    "address",
    "city",
    "county",
    "zip",
  ],
  ...["signedOn", "name", "note", "circulator", "collectedOn", "signatureCount", "of", "text"],
];

/**
 * What is kept on a device as a CSV file, such as the lines that were refused: what was done and when (ISO 8601), what it
 * says, and why it is refused. No cell is taken for a formula by a spreadsheet.
 */
export function entriesCsv(entries: readonly Entry[]): string {
  const rows = entries.map(({ id, at, what, refused }) => {
    const texts = new Map<string, unknown>(Object.entries({ ...what, ...("paper" in what && what.paper) }));
    return [id, at, what.kind, ...columns.map((name) => cell(texts.get(name))), refused?.error ?? null];
  });
  return csv([["id", "at", "kind", ...columns, "refused"], ...rows]);
}

const cell = (value: unknown): CsvValue => (typeof value === "string" || typeof value === "number" ? value : null);
