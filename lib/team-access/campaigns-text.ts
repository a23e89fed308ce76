import type { Member } from "@/lib/team-access/members";

type FormatDay = (day: string) => string;
const isoDay: FormatDay = (day) => day;

/** `until Mar 3`, or `ended Mar 3`; null without an end. Days are YYYY-MM-DD by default. */
export function endText(
  { endsOn, ended = false }: { endsOn: string | null; ended?: boolean },
  formatDay: FormatDay = isoDay,
) {
  return endsOn && `${ended ? "ended" : "until"} ${formatDay(endsOn)}`;
}

/**
 * The campaigns of a member, with their role or number of permission sets:
 * `Clean water (Canvasser until Mar 3), Parks (2 sets)`.
 */
export function campaignsText(
  { isAdministrator, campaigns }: Pick<Member, "isAdministrator" | "campaigns">,
  formatDay: FormatDay = isoDay,
): string {
  if (isAdministrator) return "All campaigns";
  const names = campaigns.map(({ name, role, endsOn, sets }) => {
    const parts = [
      [role, endText({ endsOn }, formatDay)].filter(Boolean).join(" "),
      sets.length > 0 && (sets.length === 1 ? "1 set" : `${sets.length} sets`),
    ].filter(Boolean);
    return parts.length > 0 ? `${name} (${parts.join(", ")})` : name;
  });
  return names.join(", ");
}
