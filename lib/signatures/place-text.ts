/** Where a line stands on paper: `sheet 12, line 4`. */
export function placeText({ sheet, line }: { sheet: number | null; line: number | null }): string {
  if (sheet === null && line === null) return "no sheet";
  return [sheet !== null && `sheet ${sheet}`, line !== null && `line ${line}`].filter(Boolean).join(", ");
}
