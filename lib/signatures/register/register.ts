import "server-only";
import { z } from "zod";
import type { CampaignOfTeam } from "@/lib/ids";
import { type RegisterFilter, type RegisterView, usualSort } from "@/lib/signatures/register/filter";
import { personSchema, type RegisterLine, registerLineSchema } from "@/lib/signatures/register/line";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const registerPageSchema = z.object({ lines: z.array(registerLineSchema), more: z.boolean() });
export type RegisterPage = z.infer<typeof registerPageSchema>;

export type RegisterPageAsked = CampaignOfTeam & {
  filter: RegisterFilter;
  sort?: RegisterView["sort"];
  /** At most 1000. */
  size: number;
};

/**
 * The lines of a team that a filter lets through, behind the line `from`, before it with `back`, or from the first on;
 * `more` tells whether others follow in that direction. Guard `signatures.view` first.
 */
export async function readRegisterPage(
  { team, campaign, filter, sort = usualSort, size }: RegisterPageAsked,
  from: { id: string; back?: true } | null,
): Promise<RegisterPage> {
  const given = {
    ...{ p_team_id: team, p_campaign_id: campaign, p_filter: filter },
    ...{ p_sort: sort, p_after: from, p_limit: size },
  };
  const result = await createAdminClient().rpc("register_lines", given);
  return registerPageSchema.parse(unwrap(result));
}

export type ListedLines = { lines: RegisterLine[]; earlier: boolean; later: boolean };

/**
 * A page of a team's lines that a filter lets through, behind or before a line, else the first. `earlier` and `later` tell
 * whether there are pages on its sides. Where no page stands behind or before that line, it is the first one. Guard
 * `signatures.view` first.
 */
export async function listRegisterLines({
  before,
  after,
  ...asked
}: RegisterPageAsked & Pick<RegisterView, "before" | "after">): Promise<ListedLines> {
  if (before !== undefined) {
    const { lines, more } = await readRegisterPage(asked, { id: before, back: true });
    if (more) return { lines, earlier: true, later: true }; // else the first page, which is then a full one
  } else if (after !== undefined) {
    const { lines, more } = await readRegisterPage(asked, { id: after });
    if (lines.length > 0) return { lines, earlier: true, later: more };
  }
  const { lines, more } = await readRegisterPage(asked, null);
  return { lines, earlier: false, later: more };
}

const registerCountSchema = z.object({ lines: z.int(), accepted: z.int(), rejected: z.int() });
export type RegisterCounts = z.infer<typeof registerCountSchema>;

/** How many of a team's lines a filter lets through, and what came of them. Guard `signatures.view` first. */
export async function countRegisterLines({
  team,
  campaign,
  filter,
}: CampaignOfTeam & { filter: RegisterFilter }): Promise<RegisterCounts> {
  const given = { p_team_id: team, p_campaign_id: campaign, p_filter: filter };
  const result = await createAdminClient().rpc("register_counts", given);
  return registerCountSchema.parse(unwrap(result));
}

const registerChoicesSchema = z.object({ clerks: z.array(personSchema), circulators: z.array(z.string()) });
export type RegisterChoices = z.infer<typeof registerChoicesSchema>;

/** Who has keyed a team's lines in a campaign, and who has collected its sheets. Guard `signatures.view` first. */
export async function readRegisterChoices({ team, campaign }: CampaignOfTeam): Promise<RegisterChoices> {
  const given = { p_team_id: team, p_campaign_id: campaign };
  const result = await createAdminClient().rpc("register_choices", given);
  return registerChoicesSchema.parse(unwrap(result));
}

const placeSchema = z.object({ sheet: z.int().nullable(), line: z.int().nullable() });
const lineHistorySchema = z.object({
  line: registerLineSchema,
  /** What became of it since it was keyed, in this order. */
  changes: z.array(
    z.object({
      kind: z.enum(["undone", "removed", "restored", "moved"]),
      /** ISO 8601 in UTC. */
      at: z.string(),
      /** Null for a change outside of Signet. */
      by: personSchema.nullable(),
      because: z.string().nullable(),
      from: placeSchema,
      to: placeSchema,
    }),
  ),
});
export type LineHistory = z.infer<typeof lineHistorySchema>;

/** A line of a team with its history; null when the team has no such line there. Guard `signatures.view` first. */
export async function readLineHistory({
  team,
  campaign,
  id,
}: CampaignOfTeam & { id: string }): Promise<LineHistory | null> {
  const given = { p_team_id: team, p_campaign_id: campaign, p_id: id };
  const result = await createAdminClient().rpc("line_history", given);
  return lineHistorySchema.nullable().parse(unwrap(result));
}
