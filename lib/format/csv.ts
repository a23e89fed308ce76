/** A cell of a CSV file. */
export type CsvValue = string | number | boolean | null;

/**
 * Rows as RFC 4180, with a byte order mark so that spreadsheets read UTF-8; each row is filled up to the longest. A text
 * that a spreadsheet would run as a formula gets an apostrophe in front.
 */
export function csv(rows: CsvValue[][]): string {
  const width = Math.max(...rows.map(({ length }) => length));
  return `\uFEFF${rows.map((row) => csvRow(row, width)).join("")}`;
}

/** One row of RFC 4180, filled up to so many cells. */
export function csvRow(row: CsvValue[], width = row.length): string {
  return `${Array.from({ length: width }, (_, at) => cell(row[at] ?? null)).join(",")}\r\n`;
}

function cell(value: CsvValue) {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  // Signs that begin a formula, in the full-width forms too, and blanks that a spreadsheet strips before it looks.
  const safe = /^\s*[=+\-@＝＋－＠\t\r|%]/.test(value) ? `'${value}` : value;
  return `"${safe.replaceAll('"', '""')}"`;
}
