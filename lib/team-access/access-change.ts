import { z } from "zod";
import { isLocale, isTimeZone } from "@/lib/format/regions";
import { campaignIdSchema, teamIdSchema } from "@/lib/ids";
import { profilePattern } from "@/lib/patterns";
import { permissionKeySchema } from "@/lib/permissions/snapshot";
import { daySchema, storableText } from "@/lib/storable";
import {
  areValid,
  type CrossFieldRule,
  officialCheckFields,
  sampleHasSize,
  signatureCountSchema,
  thresholdsInOrder,
} from "@/lib/team-access/official-check-fields";

const placeSchema = z.object({
  /** Null for the team itself. */
  campaign: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** Whether they gain or lose access to the place. */
  access: z.enum(["opens", "closes", "stays"]),
  /** Keys they have there only after the change, sorted; keys of the team count in each of their campaigns. */
  gains: z.array(z.string()),
  losses: z.array(z.string()),
});

/** Who gains and loses what by a change: people by name, each with the places that differ, the team first. */
export const accessEffectsSchema = z.array(
  z.object({ userId: z.uuid(), name: z.string(), places: z.array(placeSchema) }),
);
export type AccessEffects = z.infer<typeof accessEffectsSchema>;

/** Whose access a change affects, and the open invitations that it stops, because their inviter may no longer make them. */
export const accessPreviewSchema = z.object({
  effects: accessEffectsSchema,
  invitations: z.array(z.object({ email: z.string(), invitedBy: z.string(), canTakeOver: z.boolean() })),
});
export type AccessPreview = z.infer<typeof accessPreviewSchema>;

const ids = z.array(z.uuid()).max(200);
/** The last day in the team's time zone; null without an end. Without it in `before` and `after`, the end stays. */
const endsOn = daySchema.nullable().optional();
const membershipSchema = z.object({ roleId: z.uuid(), status: z.enum(["active", "invited", "suspended"]), endsOn });
const campaignAccessSchema = z.object({ roleId: z.uuid().nullable(), setIds: ids, endsOn });
const keys = z.array(permissionKeySchema).max(200);
const team = teamIdSchema;
/** Makes the acting user the inviter of invitations that this change would stop, if they could send them. */
const takeOver = z.boolean().optional();

/** The most people or permission sets in one change. */
export const maxChangesAtOnce = 500;
/** A list without two items for which `of` returns the same. */
const uniqueArray = <Schema extends z.ZodType>(schema: Schema, keyOf: (item: z.infer<Schema>) => string) =>
  z
    .array(schema)
    .min(1)
    .max(maxChangesAtOnce)
    .refine((items) => new Set(items.map(keyOf)).size === items.length, "has one of them twice");

/** Name of a role or permission set. */
export const accessNameSchema = storableText.trim().min(1, "Enter a name").max(80, "must have at most 80 characters");
/** Name and description of a permission set. */
export const setDetailsSchema = z.object({
  name: accessNameSchema,
  description: storableText.trim().max(300).nullable(),
});

const placeName = storableText.trim().min(1, "Enter a name").max(120, "must have at most 120 characters");
const linesProblem = "Enter a whole number from 1 to 1,000";
const linesPerSheet = z.int(linesProblem).min(1, linesProblem).max(1000, linesProblem);
const daysProblem = "Enter a whole number from 30 to 3,650, or leave it empty";

/** The settings of a team: how its days and numbers are written, and the defaults of new campaigns. */
export const teamSettingsSchema = z.object({
  name: placeName,
  timeZone: storableText.max(64).refine(isTimeZone, "is unknown"),
  locale: storableText.max(20).refine(isLocale, "is unknown"),
  linesPerSheet,
  /** Required a week after it is set. Without it in `before` and `after`, it stays. */
  secondFactor: z.enum(["optional", "required"]).optional(),
  /** Days after archiving, when the personal data of campaigns are erased; null for never. */
  eraseAfterDays: z.int(daysProblem).min(30, "Enter 30 or more, or leave it empty").max(3650, daysProblem).nullable(),
});
export type TeamSettings = z.infer<typeof teamSettingsSchema>;

// Typing errors such as the year 0026 or 20266.
const isPlausible = (day: string) => day >= "2000" && day < "2101";
const day = daySchema.refine(isPlausible, "must be from 2000 to 2100").nullable();
const newCampaignFields = {
  name: placeName,
  /** Null without a goal. */
  signatureGoal: signatureCountSchema.nullable(),
  startsOn: day,
  endsOn: day,
};
type Days = { startsOn: string | null; endsOn: string | null };
const inOrder = ({ startsOn, endsOn }: Days) => startsOn === null || endsOn === null || startsOn <= endsOn;
/** Refuses a last day before the first one. */
export const daysInOrder: CrossFieldRule<Days> = [
  inOrder,
  { path: ["endsOn"], message: "must be on or after the first day", when: areValid({ startsOn: day, endsOn: day }) },
];

/**
 * The settings of a campaign. The goal is a number of signatures, days are YYYY-MM-DD. The search profile is the suffix of its
 * variables; null means the default ones.
 */
export const campaignSettingsSchema = z
  .object({
    ...newCampaignFields,
    linesPerSheet,
    searchProfile: z.string().regex(profilePattern, "isn't the name of a profile").nullable(),
    districts: storableText.trim().min(1).max(200, "must have at most 200 characters").nullable(),
    archived: z.boolean(),
    ...officialCheckFields,
  })
  .refine(...daysInOrder)
  .refine(...sampleHasSize)
  .refine(...thresholdsInOrder);
export type CampaignSettings = z.infer<typeof campaignSettingsSchema>;

/**
 * A change of a team, its members, roles, permission sets and campaigns. `before` is what the screen showed: if something
 * has changed since, all of it is refused. In `members`, `after: null` removes a member; in `campaigns`, no role and no sets
 * remove their access.
 */
export const accessChangeSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("edit-team"), team, before: teamSettingsSchema, after: teamSettingsSchema }),
  /** Ends the user's own membership. */
  z.object({ kind: z.literal("leave-team"), team }),
  z.object({
    kind: z.literal("members"),
    team,
    takeOver,
    members: uniqueArray(
      z
        .object({ userId: z.uuid(), before: membershipSchema, after: membershipSchema.nullable() })
        .refine(({ before, after }) => after?.status !== "invited" || before.status === "invited", {
          path: ["after", "status"],
          message: "can only come from an invitation",
        }),
      ({ userId }) => userId,
    ),
  }),
  z.object({
    kind: z.literal("campaigns"),
    team,
    takeOver,
    places: uniqueArray(
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
    after: z.object(newCampaignFields).refine(...daysInOrder),
  }),
  z.object({
    kind: z.literal("edit-campaign"),
    team,
    campaign: campaignIdSchema,
    before: campaignSettingsSchema,
    after: campaignSettingsSchema,
  }),
  /** Adds a campaign of another team that the user manages. */
  z.object({ kind: z.literal("attach-campaign"), team, campaign: campaignIdSchema }),
  /** Removes a campaign that another team runs. */
  z.object({ kind: z.literal("detach-campaign"), team, campaign: campaignIdSchema }),
  /** Removes another team from a campaign that this one runs. */
  z.object({ kind: z.literal("stop-sharing"), team, campaign: campaignIdSchema, from: teamIdSchema }),
  /** Makes another team that works on a campaign run it. */
  z.object({ kind: z.literal("hand-over-campaign"), team, campaign: campaignIdSchema, to: teamIdSchema }),
  /** The permission sets of a role. */
  z.object({ kind: z.literal("role-sets"), team, roleId: z.uuid(), before: ids, after: ids }),
  /** The keys of permission sets. */
  z.object({
    kind: z.literal("set-keys"),
    team,
    sets: uniqueArray(z.object({ setId: z.uuid(), before: keys, after: keys }), ({ setId }) => setId),
  }),
  /** The team-wide sets of administrators. */
  z.object({ kind: z.literal("team-sets"), team, before: ids, after: ids }),
  /** The extra sets of administrators in one campaign. */
  z.object({ kind: z.literal("campaign-sets"), team, campaign: campaignIdSchema, before: ids, after: ids }),
  z.object({
    kind: z.literal("create-role"),
    team,
    name: accessNameSchema,
    scope: z.enum(["assigned", "inherit_team"]),
    setIds: ids.optional(),
  }),
  z.object({
    kind: z.literal("rename-role"),
    team,
    roleId: z.uuid(),
    before: accessNameSchema,
    after: accessNameSchema,
  }),
  z.object({ kind: z.literal("delete-role"), team, roleId: z.uuid() }),
  z.object({ kind: z.literal("create-set"), team, after: setDetailsSchema, keys }),
  z.object({ kind: z.literal("edit-set"), team, setId: z.uuid(), before: setDetailsSchema, after: setDetailsSchema }),
  z.object({ kind: z.literal("delete-set"), team, setId: z.uuid() }),
]);
export type AccessChange = z.infer<typeof accessChangeSchema>;

const memberKinds: AccessChange["kind"][] = [
  "edit-team",
  "members",
  "campaigns",
  "create-campaign",
  "edit-campaign",
  "attach-campaign",
  "detach-campaign",
  "stop-sharing",
  "hand-over-campaign",
];

/** The team key that a change needs (contract 10); null for what every member may do. */
export function keyOfChange({ kind }: AccessChange): "members.manage" | "roles.manage" | null {
  if (kind === "leave-team") return null;
  return memberKinds.includes(kind) ? "members.manage" : "roles.manage";
}
