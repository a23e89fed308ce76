import "server-only";
import { z } from "zod";
import type { SheetDetails } from "@/lib/signatures/changes";
import { type RenumberOutcome, renumberOutcomeSchema, type Sheet, sheetSchema } from "@/lib/signatures/line";
import { type Actor, actorArgs, writeLines } from "@/lib/signatures/lines";
import { renumberRefusals, sheetRefusals } from "@/lib/signatures/messages";

// Guard `signatures.enter` before each of these functions. They throw as `writeLines` does.

const sheetResult = z.object({ sheet: sheetSchema });

/**
 * Starts the team's next sheet, or the one with `number`. An existing sheet is resumed or reopened; someone else's only
 * with `reopens`.
 */
export async function openSheet({
  number,
  details = null,
  reopens = false,
  ...actor
}: Actor & { number: number | null; details?: SheetDetails | null; reopens?: boolean }): Promise<Sheet> {
  const args = { ...actorArgs(actor), p_number: number, p_details: details, p_reopen: reopens };
  return (await writeLines("open_sheet", args, sheetResult, sheetRefusals)).sheet;
}

/** Closes a team's sheet; a closed one stays closed. */
export async function closeSheet({ number, ...actor }: Actor & { number: number }): Promise<Sheet> {
  const args = { ...actorArgs(actor), p_number: number };
  return (await writeLines("close_sheet", args, sheetResult, sheetRefusals)).sheet;
}

/** Deletes a sheet without lines. */
export async function deleteSheet({ number, ...actor }: Actor & { number: number }): Promise<void> {
  const args = { ...actorArgs(actor), p_number: number };
  await writeLines("delete_sheet", args, z.object({ outcome: z.literal("deleted") }), sheetRefusals);
}

/** Saves what is written on a sheet, open or closed. */
export async function saveSheetDetails({
  number,
  details,
  ...actor
}: Actor & { number: number; details: SheetDetails }): Promise<Sheet> {
  const args = { ...actorArgs(actor), p_number: number, p_details: details };
  return (await writeLines("save_sheet_details", args, sheetResult, sheetRefusals)).sheet;
}

/**
 * Moves all lines of a sheet to another number, or none if both sheets have the same line. It needs the permission to
 * remove each of them, which the database decides.
 */
export function renumberSheet({
  from,
  to,
  reason = null,
  ...actor
}: Actor & { from: number; to: number; reason?: string | null }): Promise<RenumberOutcome> {
  const args = { ...actorArgs(actor), p_from: from, p_to: to, p_reason: reason };
  return writeLines("renumber_sheet", args, renumberOutcomeSchema, renumberRefusals);
}
