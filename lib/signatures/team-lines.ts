import "server-only";
import { z } from "zod";
import { verdicts } from "@/lib/signatures/signature-line-schema";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const longest = 100; // lines; a sheet has fewer

const text = z.string().nullable();
const number = z.int().nullable();
const shared = {
  id: z.uuid(),
  sheet: number,
  line: number,
  entered_by: text,
  entered_at: z.string(),
  removed_at: text,
};
const names = { voter_id: text, first_name: text, last_name: text };
const signatureSchema = z.object({ ...shared, ...names, city: text, zip: text });
const rejectedSchema = z.object({ ...shared, voter_id: text, verdict: z.enum(verdicts), note: text });

/** A line of a team, whoever keyed it. */
export type TeamLine = {
  id: string;
  /** Null for an accepted line. */
  verdict: (typeof verdicts)[number] | null;
  voterId: string | null;
  firstName: string | null;
  lastName: string | null;
  city: string | null;
  zip: string | null;
  note: string | null;
  sheet: number | null;
  line: number | null;
  /** Who keyed it: her id, and her name while she has an account. */
  enteredBy: { id: string; name: string | null } | null;
  /** ISO 8601. */
  enteredAt: string;
  removedAt: string | null;
};

/** The lines of a team's sheet, at most 100, the newest first; without a sheet the last of all. Guard `signatures.view` first. */
export async function teamLines({
  teamId,
  campaignId,
  sheet,
}: {
  teamId: string;
  campaignId: string;
  sheet: number | null;
}): Promise<TeamLine[]> {
  const admin = createAdminClient();
  const newest = (table: "signatures" | "rejected_lines", columns: string) => {
    const rows = admin.from(table).select(columns).eq("team_id", teamId).eq("campaign_id", campaignId);
    return (sheet === null ? rows : rows.eq("sheet", sheet)).order("entered_at", { ascending: false }).limit(longest);
  };
  const [accepted, rejected] = await Promise.all([
    newest("signatures", Object.keys(signatureSchema.shape).join(", ")),
    newest("rejected_lines", Object.keys(rejectedSchema.shape).join(", ")),
  ]);
  const lines = [
    ...z
      .array(signatureSchema)
      .parse(unwrap(accepted))
      .map((row) => ({ ...row, verdict: null, note: null })),
    ...z
      .array(rejectedSchema)
      .parse(unwrap(rejected))
      .map((row) => ({ ...row, first_name: null, last_name: null, city: null, zip: null })),
  ]
    .sort((a, b) => b.entered_at.localeCompare(a.entered_at))
    .slice(0, longest);

  const clerks = [...new Set(lines.flatMap(({ entered_by }) => entered_by ?? []))];
  const profiles = await admin.from("profiles").select("user_id, name").in("user_id", clerks);
  const rows = z.array(z.object({ user_id: z.string(), name: z.string() })).parse(unwrap(profiles));
  const nameOf = new Map(rows.map(({ user_id, name }) => [user_id, name]));
  return lines.map((row) => ({
    ...{ id: row.id, verdict: row.verdict, note: row.note, sheet: row.sheet, line: row.line },
    ...{ voterId: row.voter_id, firstName: row.first_name, lastName: row.last_name, city: row.city, zip: row.zip },
    enteredBy: row.entered_by === null ? null : { id: row.entered_by, name: nameOf.get(row.entered_by) ?? null },
    ...{ enteredAt: row.entered_at, removedAt: row.removed_at },
  }));
}
