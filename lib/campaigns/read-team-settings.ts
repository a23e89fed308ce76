import "server-only";
import { z } from "zod";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const rowSchema = z
  .object({ name: z.string(), time_zone: z.string(), locale: z.string(), lines_per_sheet: z.number().int() })
  .transform((row) => ({
    name: row.name,
    timeZone: row.time_zone,
    locale: row.locale,
    linesPerSheet: row.lines_per_sheet,
  }));

/** What is set for a team. Guard with team access first. */
export async function readTeamSettings(teamId: string): Promise<z.output<typeof rowSchema>> {
  const result = await createAdminClient()
    .from("teams")
    .select("name, time_zone, locale, lines_per_sheet")
    .eq("id", teamId)
    .single();
  return rowSchema.parse(unwrap(result));
}
