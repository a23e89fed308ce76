import "server-only";
import type { Place } from "@/lib/ids";
import { getSession } from "@/lib/permissions/get-session";
import { type CampaignPlace, permissionPlaces, type TeamPlace } from "@/lib/permissions/permission-places";

/**
 * A team, and a campaign of it, as the signed-in user reaches them; undefined where she does not. For names and lists:
 * a guard decides.
 */
export async function findPlace(place: Place): Promise<{ team?: TeamPlace; campaign?: CampaignPlace }> {
  const session = await getSession();
  const teams = session ? await permissionPlaces(session) : [];
  const team = teams.find(({ id }) => id === place.team);
  const campaign = team?.campaigns.find(({ id }) => id === place.campaign);
  return { ...(team && { team }), ...(campaign && { campaign }) };
}
