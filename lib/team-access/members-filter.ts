import { z } from "zod";
import { campaignIdSchema } from "@/lib/ids";
import { ignoreInvalidFields } from "@/lib/lenient";
import { storableText } from "@/lib/storable";

/** Sort orders of the members; with `-` before it, an order is reversed. */
export const memberOrders = ["name", "role", "status"] as const;
export type MemberOrder = (typeof memberOrders)[number];

/**
 * A filter of the members and their order, all optional. Without an order, it is by name. Strict for files, where an invalid
 * filter must not mean "everything".
 */
export const strictMembersFilterSchema = z.object({
  words: storableText.max(200, "is too long").optional(),
  role: z.uuid("isn't an id").optional(),
  campaignRole: z.uuid("isn't an id").optional(),
  status: z.enum(["active", "invited", "suspended"], "isn't a status").optional(),
  campaign: campaignIdSchema.optional(),
  sort: z.templateLiteral([z.enum(["", "-"]), z.enum(memberOrders)], "isn't an order").optional(),
});
export type MembersFilter = z.infer<typeof strictMembersFilterSchema>;

/** The filter in the address of the list, with the page. An invalid part counts as missing. */
export const membersFilterSchema = ignoreInvalidFields(
  strictMembersFilterSchema.extend({
    words: strictMembersFilterSchema.shape.words.transform((words) => words?.trim() || undefined).optional(),
    page: z.coerce.number().int().min(1).max(10_000).optional(),
  }),
);
/** A filter, and the page of its results, from 1. */
export type MembersView = z.infer<typeof membersFilterSchema>;
