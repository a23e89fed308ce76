/** Days after archiving that a team can choose, as in `teamSettingsSchema`. */
export const [minErasureDays, maxErasureDays] = [30, 3650];

const dayMs = 86_400_000;
const warningDays = 14; // as private.warn_of_erasures

/** An archived campaign with times in ISO 8601; `eraseAt` once its administrators were warned. */
export type ArchivedCampaign = { name: string; archivedAt: string; eraseAt: string | null };

/** When a campaign is erased if its data are from `afterDays` after archiving; in ISO 8601, as `now`. */
export function plannedErasure(
  { archivedAt, eraseAt }: Omit<ArchivedCampaign, "name">,
  afterDays: number,
  now: string,
): string {
  const due = Date.parse(archivedAt) + afterDays * dayMs;
  const warned = eraseAt === null ? Number.NEGATIVE_INFINITY : Date.parse(eraseAt);
  // A warning stays, unless its campaign is due later now.
  const erasedAt = due <= warned ? warned : Math.max(due, Date.parse(now) + warningDays * dayMs);
  return new Date(erasedAt).toISOString();
}

/** When several campaigns will be erased, soonest first. */
export function plannedErasures(
  campaigns: ArchivedCampaign[],
  afterDays: number,
  now: string,
): { name: string; at: string }[] {
  return campaigns
    .map((campaign) => ({ name: campaign.name, at: plannedErasure(campaign, afterDays, now) }))
    .sort((a, b) => (a.at < b.at ? -1 : 1));
}
