import { z } from "zod";
import { isLocale, isTimeZone } from "@/lib/format/regions";
import { campaignIdSchema, teamIdSchema } from "@/lib/ids";
import { permissionKeySchema } from "@/lib/permissions/permission-key-schema";
import { daySchema, storableText } from "@/lib/storable";

const placeSchema = z.object({
  /** Null for the team itself. */
  campaign: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** Whether the place opens to her, closes, or stays as it is. */
  access: z.enum(["opens", "closes", "stays"]),
  /** Keys that she holds there after the change and did not hold before, sorted; what she holds in the team counts in each of her campaigns. */
  gains: z.array(z.string()),
  losses: z.array(z.string()),
});

/** Who gains and who loses what by a change: people by name, of each the places where something differs, the team first. */
export const accessEffectsSchema = z.array(
  z.object({ userId: z.uuid(), name: z.string(), places: z.array(placeSchema) }),
);
export type AccessEffects = z.infer<typeof accessEffectsSchema>;

const ids = z.array(z.uuid()).max(200);
const membershipSchema = z.object({ roleId: z.uuid(), status: z.enum(["active", "invited", "suspended"]) });
const campaignAccessSchema = z.object({ roleId: z.uuid().nullable(), setIds: ids });
const keys = z.array(permissionKeySchema).max(200);
const team = teamIdSchema;

/** The most people or permission sets that one change may hold. */
export const mostChangesAtOnce = 500;
/** What each of them is about is named by `of`: none twice. */
const several = <Schema extends z.ZodType>(schema: Schema, of: (item: z.infer<Schema>) => string) =>
  z
    .array(schema)
    .min(1)
    .max(mostChangesAtOnce)
    .refine((items) => new Set(items.map(of)).size === items.length, "names one of them twice");

/** Name of a role or permission set. */
export const accessNameSchema = storableText.trim().min(1, "is missing").max(80, "may have 80 characters");
/** What people write about a permission set. */
export const setTextsSchema = z.object({
  name: accessNameSchema,
  description: storableText.trim().max(300).nullable(),
});

const placeName = storableText.trim().min(1, "is missing").max(120, "may have 120 characters");
const linesPerSheet = z
  .number("is no number")
  .int("is no whole number")
  .min(1, "is at least 1")
  .max(1000, "is at most 1000");

/** What is set for a team: how its days and numbers are written, and what its new campaigns begin with. */
export const teamSettingsSchema = z.object({
  name: placeName,
  timeZone: storableText.max(64).refine(isTimeZone, "is none that is known"),
  locale: storableText.max(20).refine(isLocale, "is none that is known"),
  linesPerSheet,
});
export type TeamSettings = z.infer<typeof teamSettingsSchema>;

const day = daySchema.nullable();
const newCampaignTexts = {
  name: placeName,
  signatureGoal: z.number().int().min(1).max(100_000_000).nullable(),
  startsOn: day,
  endsOn: day,
};
type Days = { startsOn: string | null; endsOn: string | null };
const inOrder = ({ startsOn, endsOn }: Days) => startsOn === null || endsOn === null || startsOn <= endsOn;
/** What refuses days that are not in order. */
export const daysInOrder: [typeof inOrder, { path: string[]; message: string }] = [
  inOrder,
  { path: ["endsOn"], message: "is before the first day" },
];

/**
 * What people say about a campaign: the goal is a number of signatures, days are YYYY-MM-DD, the search profile is the ending
 * of its variables, null for the common ones.
 */
export const campaignTextsSchema = z
  .object({
    ...newCampaignTexts,
    linesPerSheet,
    searchProfile: z
      .string()
      .regex(/^[A-Z0-9_]{1,40}$/, "is no name of a profile")
      .nullable(),
    archived: z.boolean(),
  })
  .refine(...daysInOrder);
export type CampaignTexts = z.infer<typeof campaignTextsSchema>;

/**
 * A change of a team, its members, roles, permission sets and campaigns. `before` is what the screen showed when the change
 * was made: what has changed meanwhile is refused, as a whole. In `members`, `after: null` removes a member; in
 * `campaigns`, no role and no sets take her out of a campaign.
 */
export const accessChangeSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("edit-team"), team, before: teamSettingsSchema, after: teamSettingsSchema }),
  /** Ends one's own membership. */
  z.object({ kind: z.literal("leave-team"), team }),
  z.object({
    kind: z.literal("members"),
    team,
    members: several(
      z
        .object({ userId: z.uuid(), before: membershipSchema, after: membershipSchema.nullable() })
        .refine(({ before, after }) => after?.status !== "invited" || before.status === "invited", {
          path: ["after", "status"],
          message: "is made by an invitation alone",
        }),
      ({ userId }) => userId,
    ),
  }),
  z.object({
    kind: z.literal("campaigns"),
    team,
    places: several(
      z.object({
        userId: z.uuid(),
        campaign: campaignIdSchema,
        before: campaignAccessSchema,
        after: campaignAccessSchema,
      }),
      ({ userId, campaign }) => `${userId} ${campaign}`,
    ),
  }),
  z.object({
    kind: z.literal("create-campaign"),
    team,
    campaign: campaignIdSchema,
    after: z.object(newCampaignTexts).refine(...daysInOrder),
  }),
  z.object({
    kind: z.literal("edit-campaign"),
    team,
    campaign: campaignIdSchema,
    before: campaignTextsSchema,
    after: campaignTextsSchema,
  }),
  /** Brings a campaign of another team that one manages into this one. */
  z.object({ kind: z.literal("attach-campaign"), team, campaign: campaignIdSchema }),
  /** Takes a campaign that another team runs out of this one. */
  z.object({ kind: z.literal("detach-campaign"), team, campaign: campaignIdSchema }),
  /** Has another team that works on a campaign run it from now on. */
  z.object({ kind: z.literal("hand-over-campaign"), team, campaign: campaignIdSchema, to: teamIdSchema }),
  /** The sets that a role bundles. */
  z.object({ kind: z.literal("role-sets"), team, roleId: z.uuid(), before: ids, after: ids }),
  /** The keys of permission sets: the matrix. */
  z.object({
    kind: z.literal("set-keys"),
    team,
    sets: several(z.object({ setId: z.uuid(), before: keys, after: keys }), ({ setId }) => setId),
  }),
  /** The sets that administrators hold in the whole team. */
  z.object({ kind: z.literal("team-sets"), team, before: ids, after: ids }),
  /** The sets that administrators hold in one campaign. */
  z.object({ kind: z.literal("campaign-sets"), team, campaign: campaignIdSchema, before: ids, after: ids }),
  z.object({
    kind: z.literal("create-role"),
    team,
    name: accessNameSchema,
    scope: z.enum(["assigned", "inherit_team"]),
  }),
  z.object({
    kind: z.literal("rename-role"),
    team,
    roleId: z.uuid(),
    before: accessNameSchema,
    after: accessNameSchema,
  }),
  z.object({ kind: z.literal("delete-role"), team, roleId: z.uuid() }),
  z.object({ kind: z.literal("create-set"), team, after: setTextsSchema, keys }),
  z.object({ kind: z.literal("edit-set"), team, setId: z.uuid(), before: setTextsSchema, after: setTextsSchema }),
  z.object({ kind: z.literal("delete-set"), team, setId: z.uuid() }),
]);
export type AccessChange = z.infer<typeof accessChangeSchema>;

const kindsOfMembers: AccessChange["kind"][] = [
  "edit-team",
  "members",
  "campaigns",
  "create-campaign",
  "edit-campaign",
  "attach-campaign",
  "detach-campaign",
  "hand-over-campaign",
];

/**
 * The team key that a change needs (contract 10: roles, sets and bundles need `roles.manage`, all else `members.manage`);
 * null for what every member may.
 */
export function keyOfChange({ kind }: AccessChange): "members.manage" | "roles.manage" | null {
  if (kind === "leave-team") return null;
  return kindsOfMembers.includes(kind) ? "members.manage" : "roles.manage";
}
