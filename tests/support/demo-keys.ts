const everything = [
  "campaign.view",
  "voters.search",
  "signatures.view",
  "signatures.enter",
  "signatures.remove",
  "charts.view",
  "charts.edit",
  "members.view",
  "members.manage",
  "roles.manage",
];
/** The keys of each demo person in Riverside, and those that clean-water adds; null for people who aren't active members. */
export const demoKeys: Record<string, { team: string[]; campaign: string[]; allCampaigns?: boolean } | null> = {
  admin: { team: everything, campaign: [], allCampaigns: true },
  staff: {
    team: ["voters.search", "members.view"],
    campaign: ["campaign.view", "voters.search", "signatures.view", "charts.view"],
  },
  clerk: {
    team: ["voters.search"],
    campaign: ["campaign.view", "voters.search", "signatures.view", "signatures.enter"],
  },
  canvasser: { team: ["voters.search"], campaign: ["campaign.view", "voters.search"] },
  analyst: { team: [], campaign: ["campaign.view", "signatures.view", "charts.view", "charts.edit"] },
  suspended: null,
  outsider: null,
  hill: null,
};
