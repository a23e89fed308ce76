/**
 * One line of RFC 4180, with its line end. A cell that a spreadsheet would take for a formula begins with an apostrophe,
 * which spreadsheets show as text.
 */
export function csvLine(cells: string[]): string {
  return `${cells.map(quoted).join(",")}\r\n`;
}

function quoted(cell: string) {
  const text = /^[\s]*[=+\-@|%\t\r]/.test(cell) ? `'${cell}` : cell;
  return `"${text.replaceAll('"', '""')}"`;
}
