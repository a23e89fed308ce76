import "server-only";
import { z } from "zod";
import type { CampaignOfTeam } from "@/lib/ids";
import { type RegisterFilter, type RegisterView, usualSort } from "@/lib/signatures/register-filter";
import { registerLineSchema } from "@/lib/signatures/register-line";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const answerSchema = z.object({ lines: z.array(registerLineSchema), more: z.boolean() });
export type RegisterPage = z.infer<typeof answerSchema>;

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
  return answerSchema.parse(unwrap(result));
}
