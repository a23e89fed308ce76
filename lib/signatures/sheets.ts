import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import type { CampaignOfTeam } from "@/lib/ids";
import { LineConflict } from "@/lib/signatures/line-conflict";
import { type RenumberOutcome, renumberOutcomeSchema, type Sheet, sheetSchema } from "@/lib/signatures/line-outcome";
import type { Paper } from "@/lib/signatures/line-schema";
import { writeLines } from "@/lib/signatures/lines";
import { lineRefusals } from "@/lib/signatures/messages";

const openedSchema = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("opened"), sheet: sheetSchema }),
  z.object({ outcome: z.enum(["not-allowed", "archived"]) }),
]);

/**
 * Starts a team's next sheet, or the one with this number: an existing one is resumed, a closed one opened again. `paper` is
 * written on it as far as it is given. Guard `signatures.enter` first; throws AppError when she may not any more, or the
 * campaign is archived.
 */
export async function openSheet({
  actorId,
  team,
  campaign,
  number,
  paper = null,
}: CampaignOfTeam & { actorId: string; number: number | null; paper?: Paper | null }): Promise<Sheet> {
  const place = { p_team_id: team, p_campaign_id: campaign };
  const given = { p_actor_id: actorId, ...place, p_number: number, p_paper: paper };
  const answer = await writeLines("open_sheet", given, openedSchema);
  if (answer.outcome === "opened") return answer.sheet;
  if (answer.outcome === "archived") throw new LineConflict("archived", lineRefusals.archived);
  throw new AppError("forbidden", lineRefusals["not-allowed"]);
}

const closedSchema = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("closed"), sheet: sheetSchema }),
  z.object({ outcome: z.enum(["not-allowed", "not-found"]) }),
]);

/** Closes a team's sheet; one that is closed stays so. Guard `signatures.enter` first; throws AppError when it may not be. */
export async function closeSheet({
  actorId,
  team,
  campaign,
  number,
}: CampaignOfTeam & { actorId: string; number: number }): Promise<Sheet> {
  const given = { p_actor_id: actorId, p_team_id: team, p_campaign_id: campaign, p_number: number };
  const answer = await writeLines("close_sheet", given, closedSchema);
  switch (answer.outcome) {
    case "closed":
      return answer.sheet;
    case "not-allowed":
      throw new AppError("forbidden", lineRefusals["not-allowed"]);
    case "not-found":
      throw new AppError("not-found", lineRefusals["no-sheet"]);
  }
}

const discardedSchema = z.object({ outcome: z.enum(["discarded", "not-empty", "not-found", "not-allowed"]) });

/** Discards a sheet on which no line stands. Guard `signatures.enter` first; throws AppError when it may not be. */
export async function discardSheet({
  actorId,
  team,
  campaign,
  number,
}: CampaignOfTeam & { actorId: string; number: number }): Promise<void> {
  const given = { p_actor_id: actorId, p_team_id: team, p_campaign_id: campaign, p_number: number };
  const { outcome } = await writeLines("discard_sheet", given, discardedSchema);
  switch (outcome) {
    case "discarded":
      return;
    case "not-empty":
      throw new AppError(
        "conflict",
        `Lines stand on sheet ${number}. Move or remove them first, or renumber the sheet.`,
      );
    case "not-found":
      throw new AppError("not-found", lineRefusals["no-sheet"]);
    case "not-allowed":
      throw new AppError("forbidden", lineRefusals["not-allowed"]);
  }
}

const renumberedSchema = z.discriminatedUnion("outcome", [
  ...renumberOutcomeSchema.options,
  z.object({ outcome: z.enum(["archived", "not-allowed", "not-found"]) }),
]);

/**
 * Moves all lines of a sheet to another number, with what its paper says: all, or none when lines stand at both numbers,
 * which are the `conflicts` then. It needs the keys to remove each of the lines, which the database asks for; guard one of
 * them first. Throws AppError when it may not be.
 */
export async function renumberSheet({
  actorId,
  team,
  campaign,
  from,
  to,
  because = null,
}: CampaignOfTeam & {
  actorId: string;
  from: number;
  to: number;
  because?: string | null;
}): Promise<RenumberOutcome> {
  const place = { p_team_id: team, p_campaign_id: campaign };
  const given = { p_actor_id: actorId, ...place, p_from: from, p_to: to, p_because: because };
  const answer = await writeLines("renumber_sheet", given, renumberedSchema);
  switch (answer.outcome) {
    case "renumbered":
    case "conflicts":
      return answer;
    case "archived":
      throw new AppError("conflict", lineRefusals.archived);
    case "not-allowed":
      throw new AppError("forbidden", "Others keyed lines on this sheet. Ask somebody who may remove their lines.");
    case "not-found":
      throw new AppError("not-found", lineRefusals["no-sheet"]);
  }
}

const paperSchema = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("written"), sheet: sheetSchema }),
  z.object({ outcome: z.enum(["archived", "not-allowed", "not-found"]) }),
]);

/**
 * Writes what the paper of a sheet says, open or closed; who works on it stays. Guard `signatures.enter` first; throws
 * AppError when it may not be.
 */
export async function writePaper({
  actorId,
  team,
  campaign,
  number,
  paper,
}: CampaignOfTeam & { actorId: string; number: number; paper: Paper }): Promise<Sheet> {
  const place = { p_team_id: team, p_campaign_id: campaign };
  const given = { p_actor_id: actorId, ...place, p_number: number, p_paper: paper };
  const answer = await writeLines("write_paper", given, paperSchema);
  switch (answer.outcome) {
    case "written":
      return answer.sheet;
    case "archived":
      throw new AppError("conflict", lineRefusals.archived);
    case "not-allowed":
      throw new AppError("forbidden", lineRefusals["not-allowed"]);
    case "not-found":
      throw new AppError("not-found", lineRefusals["no-sheet"]);
  }
}
