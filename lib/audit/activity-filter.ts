import { z } from "zod";
import { campaignIdSchema } from "@/lib/ids";

/** What a change was about: each area stands for tables of the log. */
export const activityAreas = {
  members: ["team_users"],
  campaigns: ["campaigns", "campaign_team", "campaign_user_roles_team", "campaign_user_team_sets"],
  roles: ["roles", "permission_sets", "permission_set_keys", "role_p_sets", "team_p_sets", "campaign_team_sets"],
  invitations: ["invitations"],
  requests: ["access_requests"],
  team: ["teams"],
} as const;

const day = z.iso.date().optional().catch(undefined);

/**
 * What the activity list is narrowed to, as it stands in the address (all of it optional; nonsense counts as missing).
 * Days are YYYY-MM-DD in the team's time zone, both included. `before` is the id of the entry after which a page goes on.
 */
export const activityFilterSchema = z.object({
  area: z.enum(["members", "campaigns", "roles", "invitations", "requests", "team"]).optional().catch(undefined),
  actor: z.uuid().optional().catch(undefined),
  subject: z.uuid().optional().catch(undefined),
  campaign: campaignIdSchema.optional().catch(undefined),
  from: day,
  to: day,
  before: z.coerce.number().int().positive().optional().catch(undefined),
});
export type ActivityFilter = z.infer<typeof activityFilterSchema>;
