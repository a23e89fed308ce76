import type { Place } from "@/lib/ids";

/** The address of the dashboard of a campaign, or of a whole team. */
export function dashboardPath({ team, campaign }: Place): string {
  return campaign === undefined ? `/${team}/dashboard` : `/${team}/campaign/${campaign}/dashboard`;
}
