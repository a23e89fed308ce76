import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import type { CampaignOfTeam } from "@/lib/ids";
import { signedWhere } from "@/lib/signatures/entry-state";
import { followChange, type Later } from "@/lib/signatures/follow-change";
import { type LineOutcome, type RestoreOutcome, signedAtSchema } from "@/lib/signatures/line-outcome";
import { lineRefusals, outsideDatesText, regionShape, takenSchema, takenText } from "@/lib/signatures/messages";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";
import type { Database } from "@/supabase/functions/_shared/database";

type Functions = Database["public"]["Functions"];

// SQLSTATE: a value out of range, or one that a constraint refuses. A unique one can be met by chance, and is tried again.
const cannotBeStored = /^(22\w{3}|23(502|503|514))$/;

/**
 * Calls a function of the database that writes lines or sheets, and reads its answer. Throws AppError `unavailable` when
 * there is none in time, and what was stored all the same is found again when the line is sent again; `invalid` for values
 * that it can never store: what waits behind them is not held up.
 */
export async function writeLines<Name extends keyof Functions, Schema extends z.ZodType>(
  name: Name,
  given: Functions[Name]["Args"],
  schema: Schema,
): Promise<z.output<Schema>> {
  const result = await createAdminClient().rpc<keyof Functions, Functions[Name]["Args"]>(name, given);
  if (result.error && cannotBeStored.test(result.error.code)) {
    const sentence = "This cannot be stored as it is. Correct it and send it again.";
    throw new AppError("invalid", sentence, { cause: result.error });
  }
  return schema.parse(unwrap(result));
}

const removedSchema = z.discriminatedUnion("outcome", [
  z.object({
    outcome: z.literal("removed"),
    voterId: z.string().optional(),
    changeNumber: z.int().optional(),
    again: z.boolean().optional(),
  }),
  z.object({ outcome: z.enum(["not-allowed", "not-found", "reason-missing"]) }),
]);

/** A change of a line that is stored, by whom and why. */
export type LineChange = CampaignOfTeam & { actorId: string; id: string; because?: string | null };

/**
 * Removes a line, accepted or rejected: one's own needs `signatures.enter`, others' `signatures.remove` and a reason, which
 * the database decides; guard one of them first. Removing it again changes nothing. Throws AppError as `recordLine` does.
 */
export async function removeLine(
  { actorId, team, campaign, id, because = null }: LineChange,
  later: Later,
): Promise<Extract<LineOutcome, { outcome: "removed" }>> {
  const given = { p_actor_id: actorId, p_team_id: team, p_campaign_id: campaign, p_id: id, p_because: because };
  const answer = await writeLines("remove_line", given, removedSchema);
  if (answer.outcome !== "removed") throw new AppError(codes[answer.outcome], lineRefusals[answer.outcome]);
  const { voterId, changeNumber, again = false } = answer;
  if (voterId === undefined || changeNumber === undefined) return { outcome: "removed", setBehind: false };
  const followed = await followChange({ campaignId: campaign, voterId, changeNumber, member: false, again }, later);
  return { outcome: "removed", setBehind: !followed };
}

const codes = { "not-allowed": "forbidden", "not-found": "not-found", "reason-missing": "invalid" } as const;

const movedSchema = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("moved") }),
  z.object({ outcome: z.literal("line-taken"), taken: takenSchema }),
  z.object({ outcome: z.enum(["archived", "not-allowed", "not-found"]) }),
]);

/**
 * Moves a live line to another place, with the keys that its removal needs; it counts on as before. Throws AppError when
 * another line stands there, or as `recordLine` does.
 */
export async function moveLine({
  actorId,
  team,
  campaign,
  id,
  sheet,
  line,
  because = null,
}: LineChange & { sheet: number; line: number }): Promise<void> {
  const place = { p_team_id: team, p_campaign_id: campaign };
  const given = { p_actor_id: actorId, ...place, p_id: id, p_sheet: sheet, p_line: line, p_because: because };
  const answer = await writeLines("move_line", given, movedSchema);
  switch (answer.outcome) {
    case "moved":
      return;
    case "line-taken": {
      const advice = "Choose another line, or move or remove that one first.";
      throw new AppError("conflict", takenText({ sheet, line }, answer.taken, advice));
    }
    case "archived":
      throw new AppError("conflict", lineRefusals.archived);
    case "not-allowed":
      throw new AppError("forbidden", lineRefusals["not-allowed"]);
    case "not-found":
      throw new AppError("not-found", lineRefusals["not-found"]);
  }
}

const day = z.iso.date().nullable();
const number = z.int().nullable();
const restoredSchema = z.discriminatedUnion("outcome", [
  z.object({
    outcome: z.literal("restored"),
    voterId: z.string().optional(),
    changeNumber: z.int().optional(),
    again: z.boolean(),
  }),
  z.object({ outcome: z.literal("duplicate"), of: signedAtSchema }),
  z.object({ outcome: z.literal("line-taken"), sheet: number, line: number, taken: takenSchema }),
  z.object({ outcome: z.literal("outside-dates"), signedOn: day, startsOn: day, endsOn: day, ...regionShape }),
  z.object({ outcome: z.enum(["archived", "not-allowed", "not-found"]) }),
]);

/**
 * Takes the removal of a line back, with the keys that its removal needs, and what somebody else removed with
 * `signatures.remove` alone; an accepted one counts again, and the set of signers follows. Restoring it again changes
 * nothing. Throws AppError when it may not stand where it stood: its voter has signed elsewhere meanwhile, its place is
 * taken, or as `recordLine` does.
 */
export async function restoreLine(
  { actorId, team, campaign, id, because = null }: LineChange,
  later: Later,
): Promise<RestoreOutcome> {
  const given = { p_actor_id: actorId, p_team_id: team, p_campaign_id: campaign, p_id: id, p_because: because };
  const answer = await writeLines("restore_line", given, restoredSchema);
  switch (answer.outcome) {
    case "restored": {
      const { voterId, changeNumber, again } = answer;
      if (voterId === undefined || changeNumber === undefined) return { outcome: "restored", setBehind: false };
      const followed = await followChange({ campaignId: campaign, voterId, changeNumber, member: true, again }, later);
      return { outcome: "restored", setBehind: !followed };
    }
    case "duplicate":
      throw new AppError(
        "conflict",
        `This voter has signed meanwhile${signedWhere(answer.of)}. The line stays removed, as no voter counts twice.`,
      );
    case "line-taken":
      throw new AppError(
        "conflict",
        takenText(answer, answer.taken, "Move or remove that one, then restore this one."),
      );
    case "outside-dates": {
      const advice = "Have the campaign's days corrected, or key the line anew as outside dates.";
      throw new AppError("conflict", outsideDatesText(answer.signedOn, answer, advice));
    }
    case "archived":
      throw new AppError("conflict", lineRefusals.archived);
    case "not-allowed":
      throw new AppError("forbidden", lineRefusals["not-allowed"]);
    case "not-found":
      throw new AppError("not-found", lineRefusals["not-found"]);
  }
}
