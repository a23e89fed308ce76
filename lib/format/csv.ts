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

// Signs that begin a formula, in the full-width forms too. At the beginning, behind blanks, which a spreadsheet strips
// before it looks; a tab or a carriage return there is taken for one itself.
const atBeginning = /^\s*[=+\-@＝＋－＠\t\r|%]/;
// Behind a separator, a quote, a line break, or what no eye sees; blanks may lie between. A blank alone splits nothing:
// "12 - 14" is no formula anywhere.
const behindSeparator = /(?=[=+\-@＝＋－＠|%])(?<=[,;|"\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]\s*)/gu;

function cell(value: CsvValue) {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  const safe = (atBeginning.test(value) ? "'" : "") + value.replace(behindSeparator, "'");
  return `"${safe.replaceAll('"', '""')}"`;
}
