import { z } from "zod";
import { campaignIdSchema } from "@/lib/ids";
import { daySchema } from "@/lib/storable";

/** What a change was about: each area stands for tables of the log. */
export const activityAreas = {
  members: ["team_users"],
  campaigns: ["campaigns", "campaign_team", "campaign_user_roles_team", "campaign_user_team_sets"],
  roles: ["roles", "permission_sets", "permission_set_keys", "role_p_sets", "team_p_sets", "campaign_team_sets"],
  signatures: ["lines"],
  invitations: ["invitations"],
  requests: ["access_requests"],
  team: ["teams"],
} as const;

/**
 * What the activity is narrowed to, all of it optional: days are YYYY-MM-DD in the team's time zone, both included, and
 * `before` is the id of the entry after which a page goes on. For a file, where nonsense must not pass for "everything".
 */
export const strictActivityFilterSchema = z.object({
  area: z
    .enum(["members", "campaigns", "roles", "signatures", "invitations", "requests", "team"], "is no area")
    .optional(),
  actor: z.uuid("is no id").optional(),
  subject: z.uuid("is no id").optional(),
  campaign: campaignIdSchema.optional(),
  from: daySchema.optional(),
  to: daySchema.optional(),
  before: z.coerce.number("must be a number").int("must be a whole number").positive("must be 1 or more").optional(),
});
export type ActivityFilter = z.infer<typeof strictActivityFilterSchema>;

const { shape } = strictActivityFilterSchema;

/** The same as it stands in the address of the list, where nonsense counts as missing: the form shows what is left. */
export const activityFilterSchema = z.object({
  area: shape.area.catch(undefined),
  actor: shape.actor.catch(undefined),
  subject: shape.subject.catch(undefined),
  campaign: shape.campaign.catch(undefined),
  from: shape.from.catch(undefined),
  to: shape.to.catch(undefined),
  before: shape.before.catch(undefined),
});

/** What exports and searches are narrowed to, as it stands in the address of their list. */
export const readsFilterSchema = activityFilterSchema
  .pick({ actor: true, from: true, to: true, before: true })
  .extend({ kind: z.enum(["exports", "searches"]).optional().catch(undefined) });
export type ReadsFilter = z.infer<typeof readsFilterSchema>;
