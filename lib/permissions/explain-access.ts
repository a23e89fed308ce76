import "server-only";
import { z } from "zod";
import type { Place } from "@/lib/ids";
import type { PermissionKey } from "@/lib/permissions/permission-keys";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const named = z.object({ id: z.uuid(), name: z.string() });
const explanationSchema = z.object({
  /** Whether the snapshot of this person and place has the key. */
  held: z.boolean(),
  /** Whether the team, and the campaign where one was asked for, is open to her. */
  teamAccess: z.boolean(),
  campaignAccess: z.boolean().nullable(),
  /** Her membership; null when there is none. */
  membership: z
    .object({ status: z.enum(["active", "invited", "suspended"]), role: z.string(), isAdministrator: z.boolean() })
    .nullable(),
  /** The role that she holds in the campaign by name. */
  campaignRole: z.string().nullable(),
  /**
   * The rules of contract 4.1 that could grant, in order: 2 membership, 4 team keys, 5 campaign, 7 campaign keys.
   * `applies` is false where a rule is for others (administrators or not); `holds` tells whether it gives (rules 4 and 7:
   * this key); `sets` are the permission sets of that source that hold the key, `without` those that do not.
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
      sets: z.array(named),
      without: z.array(named),
    }),
  ),
});
export type AccessExplanation = z.infer<typeof explanationSchema>;

/**
 * Why a person holds a key in a place, or what is missing for each rule, uncached. Of oneself
 * for any member of the team; of others guard with `members.view` of the team first.
 */
export async function explainAccess(
  userId: string,
  { team, campaign }: Place,
  key: PermissionKey,
): Promise<AccessExplanation> {
  const result = await createAdminClient().rpc("permission_why", {
    p_user_id: userId,
    p_team_id: team,
    p_campaign_id: campaign ?? null,
    p_key: key,
  });
  return explanationSchema.parse(unwrap(result));
}
