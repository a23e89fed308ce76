import type { RegisterLine } from "@/lib/signatures/register/line";

/** The name on a line, `Lee, Ann`, or of a duplicate without one, that of its first signature; may be empty. */
export function nameOf({ firstName, lastName, first }: RegisterLine): string {
  const own = [lastName, firstName].filter(Boolean).join(", ");
  if (own || !first?.ownTeam) return own;
  return [first.lastName, first.firstName].filter(Boolean).join(", ");
}

/** Sheet and line in numbers: `12, 4`. */
export function numbersOf({ sheet, line }: Pick<RegisterLine, "sheet" | "line">): string {
  return `${sheet ?? "–"}, ${line ?? "–"}`;
}

export const deletedAccountText = "a deleted account";

/** Who did something; null is a change by SQL. */
export function whoText(person: RegisterLine["enteredBy"]): string {
  return person === null ? "System" : (person.name ?? deletedAccountText);
}
