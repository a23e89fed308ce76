import type { Member } from "@/lib/team-access/members";

type Day = (day: string) => string;
const plainDay: Day = (day) => day;

/** `until Mar 3`, or `ended Mar 3`; null without an end. `day` writes a day, by default as YYYY-MM-DD. */
export function endText({ endsOn, ended = false }: { endsOn: string | null; ended?: boolean }, day: Day = plainDay) {
  return endsOn && `${ended ? "ended" : "until"} ${day(endsOn)}`;
}

/**
 * The campaigns of a member, with their role or number of permission sets:
 * `Clean water (Canvasser until Mar 3), Parks (2 sets)`.
 */
export function campaignsText(
  { isAdministrator, campaigns }: Pick<Member, "isAdministrator" | "campaigns">,
  day: Day = plainDay,
): string {
  if (isAdministrator) return "All campaigns";
  const names = campaigns.map(({ name, role, endsOn, sets }) => {
    const parts = [
      [role, endText({ endsOn }, day)].filter(Boolean).join(" "),
      sets.length > 0 && (sets.length === 1 ? "1 set" : `${sets.length} sets`),
    ].filter(Boolean);
    return parts.length > 0 ? `${name} (${parts.join(", ")})` : name;
  });
  return names.join(", ");
}
