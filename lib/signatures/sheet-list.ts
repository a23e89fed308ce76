import "server-only";
import { z } from "zod";
import type { CampaignOfTeam } from "@/lib/ids";
import { sheetSchema } from "@/lib/signatures/line";
import { defaultSheetSort, type SheetFilter } from "@/lib/signatures/sheet-filter";
import { callSql, placeArgs } from "@/lib/supabase/call-sql";

const listedSheetSchema = sheetSchema.omit({ mine: true, nextLine: true, clerks: true, signatureCount: true }).extend({
  accepted: z.int(),
  blank: z.int(),
  /** How many lines it should have, how many of these are empty, and at most 100 of their numbers. */
  expected: z.int(),
  missingCount: z.int(),
  missing: z.array(z.int()),
});
export type ListedSheet = z.infer<typeof listedSheetSchema>;

const sheetPageSchema = z.object({
  sheets: z.array(listedSheetSchema),
  more: z.boolean(),
  total: z.int().optional(),
  /** When more match than are counted. */
  totalAbove: z.int().optional(),
  /** On the first page without a filter: up to 100 numbers between those of sheets, the highest. */
  notStarted: z.array(z.int()),
});
export type SheetPage = z.infer<typeof sheetPageSchema>;

/** A page of a team's sheets, open and closed. Guard `signatures.view` first. */
export function listSheets({
  filter: { sort = defaultSheetSort, after, ...filter },
  size,
  ...place
}: CampaignOfTeam & { filter: SheetFilter; size: number }): Promise<SheetPage> {
  const args = { ...placeArgs(place), p_filter: filter, p_sort: sort, p_after: after ?? null, p_limit: size };
  return callSql("list_sheets", args, sheetPageSchema);
}
