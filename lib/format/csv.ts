/** A cell of a CSV file. */
export type CsvValue = string | number | boolean | null;

/** A part of a CSV file, and how many rows it has, without the header. */
export type CsvPiece = { text: string; rowCount: number };

/** Rows as RFC 4180, with a byte order mark so that spreadsheets read UTF-8. */
export const csv = (rows: CsvValue[][]): string => `\uFEFF${rows.map(csvRow).join("")}`;

/**
 * One row of RFC 4180. In texts an apostrophe precedes each sign that would begin a formula: at the beginning, and where a
 * spreadsheet that splits differently would begin a cell. Numbers stay as they are.
 */
export const csvRow = (row: CsvValue[]): string => `${row.map(cell).join(",")}\r\n`;

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
