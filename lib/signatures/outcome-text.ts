import type { LineOutcome, RestoreOutcome, SignedAt } from "@/lib/signatures/line-outcome";

const behind = " The fast check for duplicates learns of it when its connection is back.";

/** What came of a line, in a sentence for the one who keyed or changed it. */
export function outcomeText(outcome: LineOutcome | RestoreOutcome): string {
  switch (outcome.outcome) {
    case "accepted":
      return `Accepted.${outcome.setBehind ? behind : ""}`;
    case "duplicate":
      return `Signed already${outcome.of ? signedWhere(outcome.of) : ""}.`;
    case "rejected":
      return "Kept as a line that does not count.";
    case "removed":
      return `Undone.${outcome.setBehind ? behind : ""}`;
    case "restored":
      return `Restored.${outcome.setBehind ? behind : ""}`;
  }
}

/** Where somebody has signed already, to follow the words that say so. */
export function signedWhere(at: SignedAt): string {
  if (!at.ownTeam) return ", with another team";
  const { sheet, line, enteredBy } = at;
  const places = [sheet !== undefined && `sheet ${sheet}`, line !== undefined && `line ${line}`].filter(Boolean);
  return `${places.length > 0 ? `: ${places.join(", ")}` : ""}${enteredBy ? `, by ${enteredBy}` : ""}`;
}
