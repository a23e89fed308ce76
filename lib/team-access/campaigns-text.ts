import type { Member } from "@/lib/team-access/members";

/** The campaigns of a member, with their role or number of permission sets: `Clean water (Canvasser), Parks (2 sets)`. */
export function campaignsText({ isAdministrator, campaigns }: Pick<Member, "isAdministrator" | "campaigns">): string {
  if (isAdministrator) return "All campaigns";
  const texts = campaigns.map(({ name, role, sets }) => {
    const parts = [role, sets.length > 0 && (sets.length === 1 ? "1 set" : `${sets.length} sets`)].filter(Boolean);
    return parts.length > 0 ? `${name} (${parts.join(", ")})` : name;
  });
  return texts.join(", ");
}
