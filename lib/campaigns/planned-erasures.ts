/** Days after archiving that a team can choose, as in `teamSettingsSchema`. */
export const [minErasureDays, maxErasureDays] = [30, 3650];

const dayMs = 86_400_000;
const warningDays = 14; // as private.warn_of_erasures

/** An archived campaign with times in ISO 8601; `eraseAt` once its administrators were warned. */
export type ArchivedCampaign = { name: string; archivedAt: string; eraseAt: string | null };

/** When campaigns are erased if their data are from `afterDays` after archiving, soonest first. `at` is ISO 8601, as `now`. */
export function plannedErasures(
  campaigns: ArchivedCampaign[],
  afterDays: number,
  now: string,
): { name: string; at: string }[] {
  return campaigns
    .map(({ name, archivedAt, eraseAt }) => {
      const due = Date.parse(archivedAt) + afterDays * dayMs;
      const warned = eraseAt === null ? Number.NEGATIVE_INFINITY : Date.parse(eraseAt);
      // A warning stays, unless its campaign is due later now.
      const at = due <= warned ? warned : Math.max(due, Date.parse(now) + warningDays * dayMs);
      return { name, at: new Date(at).toISOString() };
    })
    .sort((a, b) => (a.at < b.at ? -1 : 1));
}
