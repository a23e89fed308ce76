import type { RegisterLine } from "@/lib/signatures/register/line";

/** Who is meant on a line: `Lee, Ann`; of a duplicate without a name, as her first signature has it. Empty without any. */
export function nameOf({ firstName, lastName, first }: RegisterLine): string {
  const own = [lastName, firstName].filter(Boolean).join(", ");
  if (own || !first?.ownTeam) return own;
  return [first.lastName, first.firstName].filter(Boolean).join(", ");
}

/** Where a line stands, in numbers: `12, 4`. */
export function numbersOf({ sheet, line }: Pick<RegisterLine, "sheet" | "line">): string {
  return `${sheet ?? "–"}, ${line ?? "–"}`;
}

/** Somebody who was deleted, and her name with her. */
export const goneText = "somebody whose account is gone";

/** Who has done something: her name, if she still has an account; null is somebody who used no screen of Signet. */
export function whoText(person: RegisterLine["enteredBy"]): string {
  if (person === null) return "somebody outside of Signet";
  return person.name ?? goneText;
}
