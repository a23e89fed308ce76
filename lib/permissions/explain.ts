import "server-only";
import { z } from "zod";
import { requireUser } from "@/lib/auth/require-user";
import type { Place } from "@/lib/ids";
import { listPlaces } from "@/lib/permissions/list-places";
import type { PermissionRefused } from "@/lib/permissions/messages";
import type { PermissionKey } from "@/lib/permissions/permission-keys";
import { callSql, placeArgs } from "@/lib/supabase/call-sql";

/** Who can change the access of a team's members: names of others, and whether the person can. */
export type Granters = { others: string[]; isGranter: boolean };

/** Who can change the access of a team's members, for one of them: guard first. */
export async function listGranters(teamId: string, userId: string): Promise<Granters> {
  const schema = z.array(z.object({ userId: z.uuid(), name: z.string() }));
  const granters = await callSql("who_can_grant", { p_team_id: teamId }, schema);
  const others = granters.filter((granter) => granter.userId !== userId);
  return { others: others.map(({ name }) => name), isGranter: others.length < granters.length };
}

const namedSchema = z.object({ id: z.uuid(), name: z.string() });
const explanationSchema = z.object({
  /** Whether the snapshot of this person and place has the key. */
  granted: z.boolean(),
  /** Whether they can open the team, and the campaign if asked for. */
  teamAccess: z.boolean(),
  campaignAccess: z.boolean().nullable(),
  /** Their membership, if any. */
  membership: z
    .object({
      status: z.enum(["active", "invited", "suspended"]),
      role: z.string(),
      isAdministrator: z.boolean(),
      /** The last day of a membership that has ended. */
      endedOn: z.string().nullable(),
    })
    .nullable(),
  /** The name of their role in the campaign. */
  campaignRole: z.string().nullable(),
  /**
   * The rules of contract 4.1 that could grant, in order: membership (2), team keys (4), campaign (5), campaign keys (7).
   * `applies` is false if the rule is for administrators and this person isn't one, or the reverse. `holds` says whether it
   * grants; for rules 4 and 7, whether it grants this key. `sets` are its permission sets with the key, `without` the others.
   */
  rules: z.array(
    z.object({
      rule: z.union([z.literal(2), z.literal(4), z.literal(5), z.literal(7)]),
      source: z.enum([
        "team_users",
        "team_p_sets",
        "role_p_sets",
        "campaign_user_roles_team",
        "campaign_user_team_sets",
        "campaign_team",
        "campaign_team_sets",
      ]),
      applies: z.boolean(),
      holds: z.boolean(),
      sets: z.array(namedSchema),
      without: z.array(namedSchema),
    }),
  ),
});
export type AccessExplanation = z.infer<typeof explanationSchema>;

/**
 * Why a person has a key in a place, or what is missing for each rule, uncached. Any member may ask about themselves; for
 * others guard with `members.view` of the team first.
 */
export async function explainAccess(userId: string, place: Place, key: PermissionKey): Promise<AccessExplanation> {
  const args = { p_user_id: userId, ...placeArgs(place), p_key: key };
  return callSql("permission_why", args, explanationSchema);
}

/** What a refusal shows. */
type RefusalFacts = {
  /** Name of the team or campaign. */
  placeName: string;
  teamName: string;
  granters: Granters;
};

/** The place of a refusal by name, and who can grant what the signed-in user lacks there. */
export async function explainRefusal({ place }: PermissionRefused): Promise<RefusalFacts> {
  const session = await requireUser();
  const [granters, teams] = await Promise.all([listGranters(place.team, session.userId), listPlaces(session)]);
  const team = teams.find(({ id }) => id === place.team);
  const campaign = team?.campaigns.find(({ id }) => id === place.campaign);
  const teamName = team?.name ?? place.team;
  return { placeName: campaign?.name ?? teamName, teamName, granters };
}
