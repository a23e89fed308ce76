import { z } from "zod";
import { campaignIdSchema } from "@/lib/ids";
import { storableText } from "@/lib/storable";

/** Orders of the members; each also from the end, with `-` before it. */
export const memberOrders = ["name", "role", "status"] as const;
export type MemberOrder = (typeof memberOrders)[number];

/**
 * What the members are narrowed to, all of it optional: words that stand in what is shown of a member, her role in the team,
 * her status, a campaign that is open to her; and their order, by name where there is none. For a file, where nonsense must
 * not pass for "everything".
 */
export const strictMembersFilterSchema = z.object({
  words: storableText.max(200, "is too long").optional(),
  role: z.uuid("is no id").optional(),
  status: z.enum(["active", "invited", "suspended"], "is no status").optional(),
  campaign: campaignIdSchema.optional(),
  sort: z.templateLiteral([z.enum(["", "-"]), z.enum(memberOrders)], "is no order").optional(),
});
export type MembersFilter = z.infer<typeof strictMembersFilterSchema>;

const { shape } = strictMembersFilterSchema;

/** The same as it stands in the address of the list, with the page, where nonsense counts as missing: the form shows what is left. */
export const membersFilterSchema = z.object({
  words: shape.words
    .transform((words) => words?.trim() || undefined)
    .optional()
    .catch(undefined),
  role: shape.role.catch(undefined),
  status: shape.status.catch(undefined),
  campaign: shape.campaign.catch(undefined),
  sort: shape.sort.catch(undefined),
  page: z.coerce.number().int().min(1).max(10_000).optional().catch(undefined),
});
/** A filter, and which page of what it lets through, from 1. */
export type MembersView = z.infer<typeof membersFilterSchema>;
