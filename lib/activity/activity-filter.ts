import { z } from "zod";
import { emailSchema } from "@/lib/auth/person-schema";
import { campaignIdSchema } from "@/lib/ids";
import { ignoreInvalidFields } from "@/lib/lenient";
import { daySchema } from "@/lib/storable";

/** What a change was about, with the tables of the audit log. */
export const activityAreas = {
  members: ["team_users"],
  campaigns: ["campaigns", "campaign_team", "campaign_user_roles_team", "campaign_user_team_sets"],
  roles: ["roles", "permission_sets", "permission_set_keys", "role_p_sets", "team_p_sets", "campaign_team_sets"],
  signatures: ["lines", "quality_lines"],
  invitations: ["invitations"],
  requests: ["access_requests"],
  team: ["teams"],
} as const;

/**
 * A filter of the activity, all parts optional. Days are YYYY-MM-DD in the team's time zone, inclusive; `before` is the id of
 * the last entry of the page before. For files: an invalid filter is refused instead of exporting everything.
 */
export const strictActivityFilterSchema = z.object({
  area: z
    .enum(["members", "campaigns", "roles", "signatures", "invitations", "requests", "team"], "isn't an area")
    .optional(),
  words: z.string().trim().min(1).max(100, "is too long").optional(),
  actor: z.uuid("isn't an id").optional(),
  /** The id of a person; the email of one who is only invited. */
  subject: z.uuid("isn't an id").or(emailSchema).optional(),
  campaign: campaignIdSchema.optional(),
  from: daySchema.optional(),
  to: daySchema.optional(),
  before: z.coerce.number("must be a number").int("must be a whole number").positive("must be 1 or more").optional(),
});
export type ActivityFilter = z.infer<typeof strictActivityFilterSchema>;

/** Whether the last day of a filter is before its first: nothing can match. */
export const isBackwards = ({ from, to }: Pick<ActivityFilter, "from" | "to">): boolean =>
  from !== undefined && to !== undefined && to < from;

/** The filter in the page's address, where an invalid part counts as missing. */
export const activityFilterSchema = ignoreInvalidFields(strictActivityFilterSchema);

/** A filter of sign-ins, exports, and searches, for files. */
export const strictAccessLogFilterSchema = strictActivityFilterSchema
  .pick({ actor: true, from: true, to: true, before: true })
  .extend({ kind: z.enum(["sign-ins", "exports", "searches"], "isn't a kind").optional() });
/** The filter of sign-ins, exports, and searches in their page's address, where an invalid part counts as missing. */
export const accessLogFilterSchema = ignoreInvalidFields(strictAccessLogFilterSchema);
export type AccessLogFilter = z.infer<typeof accessLogFilterSchema>;
