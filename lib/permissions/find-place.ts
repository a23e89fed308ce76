import "server-only";
import { getSession } from "@/lib/auth/get-session";
import type { Place } from "@/lib/ids";
import { type CampaignPlace, listPlaces, type TeamPlace } from "@/lib/permissions/list-places";

/**
 * A team, and a campaign of it, as the signed-in user reaches them; undefined where she does not. For names and lists:
 * a guard decides.
 */
export async function findPlace(place: Place): Promise<{ team?: TeamPlace; campaign?: CampaignPlace }> {
  const session = await getSession();
  const teams = session ? await listPlaces(session) : [];
  const team = teams.find(({ id }) => id === place.team);
  const campaign = team?.campaigns.find(({ id }) => id === place.campaign);
  return { ...(team && { team }), ...(campaign && { campaign }) };
}
