import type { Member } from "@/lib/team-access/members";

type FormatDay = (day: string) => string;
const isoDay: FormatDay = (day) => day;

/** `until Mar 3`, or `ended Mar 3`; null without an end, or while suspended before it. Days are YYYY-MM-DD by default. */
export function endText(
  { endsOn, ended = false, status }: Pick<Member, "endsOn"> & Partial<Pick<Member, "ended" | "status">>,
  formatDay: FormatDay = isoDay,
) {
  if (status === "suspended" && !ended) return null; // or it reads as the end of the suspension
  return endsOn && `${ended ? "ended" : "until"} ${formatDay(endsOn)}`;
}

/**
 * A member's campaigns with role and extra permission sets: `Clean water (Canvasser until Mar 3), Parks (2 extra permission
 * sets)`.
 */
export function campaignsText(
  { isAdministrator, campaigns }: Pick<Member, "isAdministrator" | "campaigns">,
  formatDay: FormatDay = isoDay,
): string {
  if (isAdministrator) return "All campaigns";
  const names = campaigns.map(({ name, role, endsOn, sets }) => {
    const parts = [
      [role, endText({ endsOn }, formatDay)].filter(Boolean).join(" "),
      sets.length > 0 && (sets.length === 1 ? "1 extra permission set" : `${sets.length} extra permission sets`),
    ].filter(Boolean);
    return parts.length > 0 ? `${name} (${parts.join(", ")})` : name;
  });
  return names.join(", ");
}
