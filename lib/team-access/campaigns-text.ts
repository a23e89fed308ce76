import type { Member } from "@/lib/team-access/members";

/** The campaigns of a member in a line: with her role there, or with how many sets she was given. */
export function campaignsText({ isAdministrator, campaigns }: Pick<Member, "isAdministrator" | "campaigns">): string {
  if (isAdministrator) return "All campaigns";
  return campaigns
    .map(({ name, role, sets }) => {
      const given = [
        ...(role ? [role] : []),
        ...(sets.length > 0 ? [sets.length === 1 ? "1 set" : `${sets.length} sets`] : []),
      ];
      return given.length > 0 ? `${name} (${given.join(", ")})` : name;
    })
    .join(", ");
}
