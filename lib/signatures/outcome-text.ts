import type { LineOutcome, SignedAt } from "@/lib/signatures/line-outcome";

const behind = " The fast check for duplicates learns of it when its connection is back.";

/** What came of a line, in a sentence for the one who keyed it. */
export function outcomeText(outcome: LineOutcome): string {
  switch (outcome.outcome) {
    case "accepted":
      return `Accepted.${outcome.setBehind ? behind : ""}`;
    case "duplicate":
      return `Signed already${outcome.of ? where(outcome.of) : ""}.`;
    case "rejected":
      return "Kept as a line that does not count.";
    case "removed":
      return `Undone.${outcome.setBehind ? behind : ""}`;
  }
}

function where(at: SignedAt) {
  if (!at.ownTeam) return ", with another team";
  const { sheet, line, enteredBy } = at;
  const places = [sheet !== undefined && `sheet ${sheet}`, line !== undefined && `line ${line}`].filter(Boolean);
  return `${places.length > 0 ? `: ${places.join(", ")}` : ""}${enteredBy ? `, by ${enteredBy}` : ""}`;
}
