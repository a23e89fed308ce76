import "server-only";
import { z } from "zod";
import type { CampaignOfTeam } from "@/lib/ids";
import type { StoredLine } from "@/lib/signatures/answers";
import { verdicts } from "@/lib/signatures/verdicts";
import { createAdminClient } from "@/lib/supabase/admin";
import type { Column } from "@/lib/supabase/column";
import { unwrap } from "@/lib/supabase/unwrap";

const longest = 100; // lines; a sheet has fewer

const text = z.string().nullable();
const rowSchema = z.object({
  id: z.uuid(),
  verdict: z.enum(verdicts),
  voter_id: text,
  first_name: text,
  last_name: text,
  city: text,
  zip: text,
  note: text,
  sheet: z.int().nullable(),
  line: z.int().nullable(),
  entered_by: text,
  entered_at: z.string(),
  removed_at: text,
});

/** A line of a team, whoever keyed it: her id, and her name while she has an account. */
export type TeamLine = StoredLine & { enteredBy: { id: string; name: string | null } | null };

/** The lines of a team's sheet, at most 100, the newest first; without a sheet the last of all. Guard `signatures.view` first. */
export async function listTeamLines({
  team,
  campaign,
  sheet,
}: CampaignOfTeam & { sheet: number | null }): Promise<TeamLine[]> {
  const admin = createAdminClient();
  const all = admin
    .from("lines")
    .select(
      "id, sheet, line, verdict, voter_id, first_name, last_name, city, zip, note, entered_by, entered_at, removed_at",
    );
  const of: { [Name in Column<"lines">]?: string | number } = {
    team_id: team,
    campaign_id: campaign,
    ...(sheet !== null && { sheet }),
  };
  const result = await all
    .match(of)
    .order("entered_at" satisfies Column<"lines">, { ascending: false })
    .limit(longest);
  const lines = z.array(rowSchema).parse(unwrap(result));

  const clerks = [...new Set(lines.flatMap(({ entered_by }) => entered_by ?? []))];
  const profiles = await admin
    .from("profiles")
    .select("user_id, name")
    .in("user_id" satisfies Column<"profiles">, clerks);
  const rows = z.array(z.object({ user_id: z.string(), name: z.string() })).parse(unwrap(profiles));
  const nameOf = new Map(rows.map(({ user_id, name }) => [user_id, name]));
  return lines.map((row) => ({
    ...{ id: row.id, verdict: row.verdict, note: row.note, sheet: row.sheet, line: row.line },
    ...{ voterId: row.voter_id, firstName: row.first_name, lastName: row.last_name, city: row.city, zip: row.zip },
    enteredBy: row.entered_by === null ? null : { id: row.entered_by, name: nameOf.get(row.entered_by) ?? null },
    ...{ enteredAt: row.entered_at, removedAt: row.removed_at },
  }));
}
