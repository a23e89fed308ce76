import type { SignedAt } from "@/lib/signatures/line-outcome";

/** Where somebody has signed already, to follow the words that say so. */
export function signedWhere(at: SignedAt): string {
  if (!at.ownTeam) return ", with another team";
  const { sheet, line, enteredBy } = at;
  const places = [sheet !== undefined && `sheet ${sheet}`, line !== undefined && `line ${line}`].filter(Boolean);
  return `${places.length > 0 ? `: ${places.join(", ")}` : ""}${enteredBy ? `, by ${enteredBy}` : ""}`;
}
