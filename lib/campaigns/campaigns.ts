import "server-only";
import { z } from "zod";
import { environmentNames } from "@/lib/env";
import { profilePattern } from "@/lib/patterns";
import { createAdminClient } from "@/lib/supabase/admin";
import { type Column, unwrap } from "@/lib/supabase/unwrap";

const campaignRunnersSchema = z.array(z.object({ id: z.string(), team_id: z.string() }));

/** The campaigns that teams run, by id, with the id of the team. Only for people who manage these teams. */
export async function listCampaignRunners(teamIds: string[]): Promise<Map<string, string>> {
  const rows = campaignRunnersSchema.parse(
    unwrap(await createAdminClient().from("campaigns").select("id, team_id").in("team_id", teamIds)),
  );
  return new Map(rows.map(({ id, team_id }) => [id, team_id]));
}

const teamRunnersSchema = z.array(z.object({ campaigns: z.object({ id: z.string(), team_id: z.string() }) }));
const teamsSchema = z.array(z.object({ id: z.string(), name: z.string() }));

/** The teams that run the campaigns of a team, itself or others, by the ids of the campaigns. Guard with `members.manage` first. */
export async function listTeamRunners(teamId: string): Promise<Map<string, { id: string; name: string }>> {
  const admin = createAdminClient();
  const rows = teamRunnersSchema.parse(
    unwrap(await admin.from("campaign_team").select("campaigns(id, team_id)").eq("team_id", teamId)),
  );
  const ids = [...new Set(rows.map(({ campaigns }) => campaigns.team_id))];
  const teams = teamsSchema.parse(
    unwrap(
      await admin
        .from("teams")
        .select("id, name")
        .in("id" satisfies Column<"teams">, ids),
    ),
  );
  const byId = new Map(teams.map((team) => [team.id, team]));
  return new Map(
    rows.flatMap(({ campaigns: { id, team_id } }) => {
      const team = byId.get(team_id);
      return team ? [[id, team] as const] : [];
    }),
  );
}

const searchProfilesSchema = z.array(z.object({ profile: z.string() }));

/** The search profiles that a team may use and the environment configures, sorted. */
export async function listSearchProfiles(teamId: string): Promise<string[]> {
  const result = await createAdminClient().from("team_search_profiles").select("profile").eq("team_id", teamId);
  const given = searchProfilesSchema.parse(unwrap(result)).map(({ profile }) => profile);
  return given.filter(isSearchProfile).toSorted();
}

/** Whether the environment configures a search profile: `NY` by `SEARCHSVC_URL_NY`. SQL decides which teams may use it. */
export function isSearchProfile(name: string): boolean {
  return name !== "SEARCH" && profilePattern.test(name) && environmentNames("SEARCHSVC_URL_").includes(name);
}

const searchProfileSchema = z.object({ search_profile: z.string().nullable() });

/** The campaign's search profile; null for the default. Guard with `voters.search` first. */
export async function readCampaignSearchProfile(campaignId: string): Promise<string | null> {
  const result = await createAdminClient().from("campaigns").select("search_profile").eq("id", campaignId).single();
  return searchProfileSchema.parse(unwrap(result)).search_profile;
}

const campaignFactsSchema = z.object({
  name: z.string(),
  team_id: z.string(),
  signature_goal: z.number().int().nullable(),
  starts_on: z.iso.date().nullable(),
  ends_on: z.iso.date().nullable(),
  lines_per_sheet: z.number().int(),
  search_profile: z.string().nullable(),
  archived_at: z.string().nullable(),
  campaign_team: z.array(z.object({ teams: z.object({ id: z.string(), name: z.string() }) })),
});

/** The facts of a campaign. Dates are YYYY-MM-DD; the goal is a number of signatures. */
export type CampaignFacts = {
  name: string;
  signatureGoal: number | null;
  startsOn: string | null;
  endsOn: string | null;
  linesPerSheet: number;
  /** Null for the default voter search. */
  searchProfile: string | null;
  archived: boolean;
  /** The id of the team that runs it. */
  runBy: string;
  teams: { id: string; name: string }[];
};

/** The facts of a campaign. Guard with `campaign.view` first. */
export async function readCampaignFacts(campaignId: string): Promise<CampaignFacts> {
  const result = await createAdminClient()
    .from("campaigns")
    .select(
      "name, team_id, signature_goal, starts_on, ends_on, lines_per_sheet, search_profile, archived_at, campaign_team(teams(id, name))",
    )
    .eq("id", campaignId)
    .single();
  const row = campaignFactsSchema.parse(unwrap(result));
  return {
    name: row.name,
    signatureGoal: row.signature_goal,
    startsOn: row.starts_on,
    endsOn: row.ends_on,
    linesPerSheet: row.lines_per_sheet,
    searchProfile: row.search_profile,
    archived: row.archived_at !== null,
    runBy: row.team_id,
    teams: row.campaign_team.map(({ teams }) => teams),
  };
}

const teamSettingsSchema = z
  .object({ name: z.string(), time_zone: z.string(), locale: z.string(), lines_per_sheet: z.number().int() })
  .transform((row) => ({
    name: row.name,
    timeZone: row.time_zone,
    locale: row.locale,
    linesPerSheet: row.lines_per_sheet,
  }));

/** The settings of a team. Guard with team access first. */
export async function readTeamSettings(teamId: string): Promise<z.output<typeof teamSettingsSchema>> {
  const result = await createAdminClient()
    .from("teams")
    .select("name, time_zone, locale, lines_per_sheet")
    .eq("id", teamId)
    .single();
  return teamSettingsSchema.parse(unwrap(result));
}
