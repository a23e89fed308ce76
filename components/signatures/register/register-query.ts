import type { CampaignOfTeam } from "@/lib/ids";
import type { RegisterFilter, RegisterView } from "@/lib/signatures/register-filter";

/** The address of a campaign's register. */
export const registerPath = ({ team, campaign }: CampaignOfTeam) => `/${team}/campaign/${campaign}/signatures/register`;

/** A filter, and where one is in the register, as the query of an address, with its `?`; nothing when all of it is empty. */
export function registerQuery(asked: RegisterFilter & RegisterView): string {
  const set = Object.entries(asked).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return set.length === 0 ? "" : `?${new URLSearchParams(set)}`;
}
