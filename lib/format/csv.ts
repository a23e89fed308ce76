/** A cell of a CSV file. */
export type CsvValue = string | number | boolean | null;

/** A part of a CSV file, and how many rows it has, without the head. */
export type CsvPiece = { text: string; rowCount: number };

/** Rows as RFC 4180, with a byte order mark so that spreadsheets read UTF-8; all rows get the same number of cells. */
export function csv(rows: CsvValue[][]): string {
  const width = Math.max(...rows.map(({ length }) => length));
  return `\uFEFF${rows.map((row) => csvRow(row, width)).join("")}`;
}

/**
 * One row of RFC 4180 with at least `width` cells. In texts an apostrophe precedes each sign that would begin a formula: at
 * the beginning, and where a spreadsheet that splits differently would begin a cell. Numbers stay as they are.
 */
export function csvRow(row: CsvValue[], width = row.length): string {
  return `${Array.from({ length: width }, (_, at) => cell(row[at] ?? null)).join(",")}\r\n`;
}

// Signs that begin a formula, also full-width ones. Spreadsheets strip leading blanks, and some treat a leading tab or
// carriage return like such a sign.
const leadingSign = /^\s*[=+\-@＝＋－＠\t\r|%]/;
// After a separator, a quote, a line break or an invisible character, also with blanks between. A blank alone separates
// nothing: "12 - 14" is never a formula.
const signAfterSeparator =
  /(?=[=+\-@＝＋－＠|%])(?<=[,;|"\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]\s*)/gu;

function cell(value: CsvValue) {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  const safe = (leadingSign.test(value) ? "'" : "") + value.replace(signAfterSeparator, "'");
  return `"${safe.replaceAll('"', '""')}"`;
}
