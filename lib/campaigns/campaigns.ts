import "server-only";
import { z } from "zod";
import { type ArchivedCampaign, plannedErasure } from "@/lib/campaigns/planned-erasures";
import { environmentNames } from "@/lib/env";
import { profilePattern } from "@/lib/patterns";
import { createAdminClient } from "@/lib/supabase/admin";
import { callSql } from "@/lib/supabase/call-sql";
import { type Column, unwrap } from "@/lib/supabase/unwrap";

const campaignRunnersSchema = z.array(z.object({ id: z.string(), team_id: z.string() }));

/** The campaigns that teams run, by id, with the id of the team. Only for people who manage these teams. */
export async function listCampaignRunners(teamIds: string[]): Promise<Map<string, string>> {
  const result = await createAdminClient().from("campaigns").select("id, team_id").in("team_id", teamIds);
  return new Map(campaignRunnersSchema.parse(unwrap(result)).map(({ id, team_id }) => [id, team_id]));
}

const teamSchema = z.object({ id: z.string(), name: z.string() });
const teamsSchema = z.array(
  z.object({
    campaigns: z.object({ id: z.string(), team: teamSchema, members: z.array(z.object({ team: teamSchema })) }),
  }),
);

/**
 * For each of a team's campaigns, by its id: the team that runs it and, if this team does, the other teams that work on it.
 * Guard with `members.manage` first.
 */
export async function listCampaignTeams(
  teamId: string,
): Promise<Map<string, { runBy: { id: string; name: string }; sharedWith: string[] }>> {
  const result = await createAdminClient()
    .from("campaign_team")
    .select("campaigns(id, team:teams!campaigns_team_id_fkey(id, name), members:campaign_team(team:teams(id, name)))")
    .eq("team_id", teamId);
  return new Map(
    teamsSchema.parse(unwrap(result)).map(({ campaigns: { id, team, members } }) => {
      const others = members.flatMap((member) => (member.team.id === teamId ? [] : [member.team.name]));
      return [id, { runBy: team, sharedWith: team.id === teamId ? others.sort() : [] }];
    }),
  );
}

const areasSchema = z.object({ counties: z.array(z.string()), districts: z.array(z.string()) });
/** What the voter file names, at most 500 each. */
export type KnownAreas = z.infer<typeof areasSchema>;

/** The counties and districts of the voter file, and counties of a team's lines. Guard with `members.manage` first. */
export const listAreas = (teamId: string): Promise<KnownAreas> =>
  callSql("list_areas", { p_team_id: teamId }, areasSchema);

const searchProfilesSchema = z.array(z.object({ profile: z.string() }));

/** The search profiles that a team may use and the environment configures, sorted. */
export async function listSearchProfiles(teamId: string): Promise<string[]> {
  const result = await createAdminClient().from("team_search_profiles").select("profile").eq("team_id", teamId);
  const grantedProfiles = searchProfilesSchema.parse(unwrap(result)).map(({ profile }) => profile);
  return grantedProfiles.filter(isSearchProfile).toSorted();
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

// The local REST server sends numeric columns as strings, PostgREST as numbers.
const percentSchema = z.coerce.number().nullable();

const campaignFactsSchema = z
  .object({
    name: z.string(),
    /** The id of the team that runs it. */
    runBy: z.string(),
    signatureGoal: z.number().int().nullable(),
    startsOn: z.iso.date().nullable(),
    endsOn: z.iso.date().nullable(),
    linesPerSheet: z.number().int(),
    /** Null for the default voter search. */
    searchProfile: z.string().nullable(),
    districts: z.string().nullable(),
    archivedAt: z.string().nullable(),
    requiredSignatures: z.int().nullable(),
    safetyMargin: percentSchema,
    officialRejection: percentSchema,
    checkMethod: z.enum(["full", "sample", "washington"]).nullable(),
    samplePercent: percentSchema,
    sampleMinimum: z.int().nullable(),
    passPercent: percentSchema,
    failPercent: percentSchema,
    countyTargets: z.array(z.object({ county: z.string(), target: z.int() })),
    eraseAt: z.string().nullable(),
    /** When its personal data were erased. */
    erasedAt: z.string().nullable(),
    runner: z.object({ eraseAfterDays: z.number().int().nullable() }),
    members: z.array(z.object({ team: teamSchema })),
  })
  .transform(({ archivedAt, eraseAt, runner: { eraseAfterDays }, members, ...facts }) => ({
    ...facts,
    archived: archivedAt !== null,
    /** The setting of the team that runs it; null for never. */
    eraseAfterDays,
    /** When the personal data of an archived campaign will be erased; null for never. */
    eraseAt:
      archivedAt === null || eraseAfterDays === null
        ? null
        : plannedErasure({ archivedAt, eraseAt }, eraseAfterDays, new Date().toISOString()),
    teams: members.map(({ team }) => team),
  }));
export type CampaignFacts = z.output<typeof campaignFactsSchema>;

/** The facts of a campaign. Guard with `campaign.view` first. */
export async function readCampaignFacts(campaignId: string): Promise<CampaignFacts> {
  const result = await createAdminClient()
    .from("campaigns")
    .select(
      "name, runBy:team_id, signatureGoal:signature_goal, startsOn:starts_on, endsOn:ends_on, linesPerSheet:lines_per_sheet, searchProfile:search_profile, districts, archivedAt:archived_at, eraseAt:erase_at, erasedAt:erased_at, requiredSignatures:required_signatures, safetyMargin:safety_margin, officialRejection:official_rejection, checkMethod:check_method, samplePercent:sample_percent, sampleMinimum:sample_minimum, passPercent:pass_percent, failPercent:fail_percent, countyTargets:county_targets, runner:teams!campaigns_team_id_fkey(eraseAfterDays:erase_after_days), members:campaign_team(team:teams(id, name))",
    )
    .eq("id", campaignId)
    .single();
  return campaignFactsSchema.parse(unwrap(result));
}

const archivedSchema = z.array(z.object({ name: z.string(), archivedAt: z.string(), eraseAt: z.string().nullable() }));

/** The archived campaigns that a team runs and whose personal data aren't erased. Guard with `members.manage` first. */
export async function listArchivedCampaigns(teamId: string): Promise<ArchivedCampaign[]> {
  const result = await createAdminClient()
    .from("campaigns")
    .select("name, archivedAt:archived_at, eraseAt:erase_at")
    .eq("team_id", teamId)
    .not("archived_at" satisfies Column<"campaigns">, "is", null)
    .is("erased_at" satisfies Column<"campaigns">, null);
  return archivedSchema.parse(unwrap(result));
}

const storedTeamSettingsSchema = z.object({
  name: z.string(),
  timeZone: z.string(),
  locale: z.string(),
  linesPerSheet: z.number().int(),
  eraseAfterDays: z.number().int().nullable(),
  secondFactor: z.enum(["optional", "required"]),
});

/** The settings of a team. Guard with team access first. */
export async function readTeamSettings(teamId: string): Promise<z.output<typeof storedTeamSettingsSchema>> {
  const result = await createAdminClient()
    .from("teams")
    .select(
      "name, timeZone:time_zone, locale, linesPerSheet:lines_per_sheet, eraseAfterDays:erase_after_days, from:second_factor_from",
    )
    .eq("id", teamId)
    .single();
  const { from, ...settings } = unwrap(result);
  return storedTeamSettingsSchema.parse({ ...settings, secondFactor: from === null ? "optional" : "required" });
}
