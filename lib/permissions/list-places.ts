import "server-only";
import { z } from "zod";
import type { Session } from "@/lib/auth/get-session";
import { cachedByEpoch } from "@/lib/permissions/cached-by-epoch";
import { callSql } from "@/lib/supabase/call-sql";

const campaignSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** ISO 8601; null for a running campaign. */
  archivedAt: z.string().nullable(),
  permissionKeys: z.array(z.string()),
  /** Whether they may change its settings. */
  canEdit: z.boolean(),
});
const teamSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** IANA name. */
  timeZone: z.string(),
  /** BCP 47. */
  locale: z.string(),
  /** ISO 8601: from then on sessions need a second factor; null if they don't. */
  secondFactorFrom: z.string().nullable(),
  permissionKeys: z.array(z.string()),
  campaigns: z.array(campaignSchema),
});
const placesSchema = z.object({ teams: z.array(teamSchema) });

export type TeamPlace = z.infer<typeof teamSchema>;
export type CampaignPlace = z.infer<typeof campaignSchema>;

/** What a member can open in a team, and their permissions there, uncached; null without access. Guard with `members.view`. */
export async function readMemberTeam(userId: string, teamId: string): Promise<TeamPlace | null> {
  const { teams } = await callSql("permission_places", { p_user_id: userId }, placesSchema);
  return teams.find(({ id }) => id === teamId) ?? null;
}

/**
 * All teams and campaigns the signed-in user can open, by name, with the keys of each place's snapshot; cached and invalidated
 * like a snapshot. For lists, switchers and "anywhere"; the snapshot decides about a single place. Without teams that require
 * a second factor which this session lacks.
 */
export async function listPlaces(session: Session): Promise<TeamPlace[]> {
  const teams = await readCachedTeams(session);
  return session.hasEnteredCode ? teams : teams.filter((team) => !requiresSecondFactor(team));
}

/** The teams left out for lack of a second factor. Guards call it, because a snapshot doesn't contain it. */
export async function listTeamsLackingSecondFactor(session: Session): Promise<TeamPlace[]> {
  return session.hasEnteredCode ? [] : (await readCachedTeams(session)).filter(requiresSecondFactor);
}

function requiresSecondFactor({ secondFactorFrom }: TeamPlace) {
  return secondFactorFrom !== null && Date.parse(secondFactorFrom) <= Date.now();
}

async function readCachedTeams(session: Session): Promise<TeamPlace[]> {
  const places = await cachedByEpoch({
    name: "permission-places",
    userId: session.userId,
    keyParts: ["permission-places", session.userId],
    compute: () => callSql("permission_places", { p_user_id: session.userId }, placesSchema),
  });
  return places.teams;
}
