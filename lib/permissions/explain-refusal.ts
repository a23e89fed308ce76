import "server-only";
import { z } from "zod";
import { getSession } from "@/lib/auth/get-session";
import { listGranters } from "@/lib/permissions/list-granters";
import { listPlaces } from "@/lib/permissions/list-places";
import { permissionKeys } from "@/lib/permissions/permission-keys";
import type { PermissionRefused } from "@/lib/permissions/permission-refused";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const roleSchema = z.object({ roles: z.object({ name: z.string() }) }).nullable();

/** What a refusal screen says. */
export type RefusalFacts = {
  key: string;
  /** The key in words: `See members`. */
  words: string;
  /** Name of the team or campaign that refuses. */
  placeName: string;
  teamName: string;
  /** The role that the user holds there, or in the team; null when it cannot be told. */
  roleName: string | null;
  granters: string[];
};

/** Explains to the signed-in user what is missing, which role lacks it, and who can grant it. */
export async function explainRefusal({ place, key }: PermissionRefused): Promise<RefusalFacts> {
  const session = await getSession();
  const [roleName, granters, teams] = await Promise.all([
    session ? roleIn(session.userId, place.team, place.campaign) : null,
    listGranters(place.team),
    session ? listPlaces(session) : [],
  ]);
  const team = teams.find(({ id }) => id === place.team);
  const campaign = team?.campaigns.find(({ id }) => id === place.campaign);
  const teamName = team?.name ?? place.team;
  return { key, words: permissionKeys[key], placeName: campaign?.name ?? teamName, teamName, roleName, granters };
}

async function roleIn(userId: string, team: string, campaign: string | undefined) {
  const admin = createAdminClient();
  const inTeam = admin.from("team_users").select("roles(name)").eq("user_id", userId).eq("team_id", team).maybeSingle();
  const inCampaign = campaign
    ? admin
        .from("campaign_user_roles_team")
        .select("roles(name)")
        .eq("user_id", userId)
        .eq("team_id", team)
        .eq("campaign_id", campaign)
        .maybeSingle()
    : null;
  const found = roleSchema.parse((inCampaign && unwrap(await inCampaign)) ?? unwrap(await inTeam));
  return found?.roles.name ?? null;
}
