import { nameText, personText } from "@/lib/signatures/line-text";
import type { RegisterLine } from "@/lib/signatures/register/register";

/** The name on a line, `Lee, Ann`, or of a duplicate without one, that of its first signature; may be empty. */
export function nameOf(line: RegisterLine): string {
  return nameText(line) || (line.first?.ownTeam ? nameText(line.first) : "");
}

/** Sheet and line in numbers: `12, 4`. */
export function numbersOf({ sheet, line }: Pick<RegisterLine, "sheet" | "line">): string {
  return `${sheet ?? "–"}, ${line ?? "–"}`;
}

/** Who did something; null is a change by SQL. */
export function whoText(person: RegisterLine["enteredBy"]): string {
  return person === null ? "System" : personText(person.name);
}
