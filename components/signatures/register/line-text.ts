import type { Format } from "@/lib/format/format-of";
import { capitalized } from "@/lib/format/text";
import { nameText, personText } from "@/lib/signatures/line-text";
import type { RegisterCounts, RegisterLine } from "@/lib/signatures/register/register";
import { verdictWords } from "@/lib/signatures/verdicts";

/** The name on a line, `Lee, Ann`, or of a duplicate without one, that of its first signature; may be empty. */
export function formatLineName(line: RegisterLine): string {
  return nameText(line) || (line.first?.ownTeam ? nameText(line.first) : "");
}

/** What a line without a name shows instead: the note of its clerk, or its status. */
export function unnamedText({ verdict, note }: Pick<RegisterLine, "verdict" | "note">): string {
  if (note) return note;
  return verdict === "accepted" || verdict === "duplicate" ? "Name not given" : capitalized(verdictWords[verdict]);
}

/** How many lines the register lists, removed ones apart: `812 lines, 14 removed, 1 earlier version`. */
export function linesText(counts: RegisterCounts, { count, number }: Format): string {
  if ("linesAbove" in counts) return `${number(counts.linesAbove)}+ lines`;
  const { lines, removed, corrected } = counts;
  const texts = [
    (lines > 0 || removed + corrected === 0) && count(lines, "line"),
    removed > 0 && (lines === 0 ? count(removed, "removed line") : `${number(removed)} removed`),
    corrected > 0 && count(corrected, "earlier version"),
  ];
  return texts.filter(Boolean).join(", ");
}

/** Sheet and line in numbers: `12, 4`. */
export function formatLineNumber({ sheet, line }: Pick<RegisterLine, "sheet" | "line">): string {
  return `${sheet ?? "–"}, ${line ?? "–"}`;
}

/** The element id of a line's link in the list. */
export function lineLinkId(id: string): string {
  return `line-${id}`;
}

/** Who did something; null is a change by SQL. */
export function whoText(person: RegisterLine["enteredBy"]): string {
  return person === null ? "System" : personText(person.name);
}
