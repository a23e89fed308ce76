import type { CampaignOfTeam } from "@/lib/ids";
import { queryText } from "@/lib/query-text";
import type { RegisterFilter, RegisterView } from "@/lib/signatures/register/filter";

/** The county in the filter that means lines without one. */
export const noCounty = "No county";

/** The address of a campaign's quality check. */
export const qualityPath = ({ team, campaign }: CampaignOfTeam) => `/${team}/campaign/${campaign}/signatures/quality`;

/** The address of data entry, at a line of a sheet. */
export const entryLinePath = ({ team, campaign }: CampaignOfTeam, position: { sheet: number; line: number }) =>
  `/${team}/campaign/${campaign}/signatures${queryText(position)}`;

/** The address of a campaign's register, under a filter and at a place in it. */
export const registerPath = ({ team, campaign }: CampaignOfTeam, query: RegisterFilter & RegisterView = {}) =>
  `/${team}/campaign/${campaign}/signatures/register${queryText(query)}`;
