import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import type { CampaignOfTeam } from "@/lib/ids";
import { logEvent, logFailure } from "@/lib/log-event";
import type { CorrectedLine, EnteredLine } from "@/lib/signatures/changes";
import { signedAtSchema } from "@/lib/signatures/line";
import {
  correctRefusals,
  lineRefusals,
  moveRefusals,
  recordRefusals,
  restoreRefusals,
  takenSchema,
  takenText,
  unstorableMessage,
} from "@/lib/signatures/messages";
import type { ChangeOutcome } from "@/lib/signatures/responses";
import { addSigner, removeSigner } from "@/lib/signers/signers";
import { callSql, placeArgs, type Refusals, type Schema, type SqlFunctions } from "@/lib/supabase/call-sql";

/** Runs what needn't be awaited before the response: `after` of next/server. */
export type RunAfterResponse = (task: () => Promise<void>) => void;

/** Who changes lines or sheets, and where. */
export type Actor = CampaignOfTeam & { actorId: string };

export const actorArgs = ({ actorId, ...place }: Actor) => ({ p_actor_id: actorId, ...placeArgs(place) });

// SQLSTATE: a value out of range, or one that a constraint refuses. A unique one can clash by chance, and is tried again.
const cannotBeStored = /^(22\w{3}|23(502|503|514))$/;

/**
 * Calls a SQL function that writes lines or sheets, as `callSql` does. Throws AppError `invalid` for values that can never
 * be stored, so that they don't block the queue. After `unavailable` the line may be stored; sending it again shows whether
 * it is.
 */
export function writeLines<Name extends keyof SqlFunctions, Parsed>(
  name: Name,
  args: SqlFunctions[Name]["Args"],
  schema: Schema<Parsed>,
  refusals: Refusals,
): Promise<Parsed> {
  return callSql(name, args, schema, {
    refusals,
    errorOf: (cause) =>
      cannotBeStored.test(cause.code) ? new AppError("invalid", unstorableMessage, { cause }) : null,
  });
}

/** The voter of an accepted line, and the number of the change. `unchanged` if it was stored before. */
const signerShape = { voterId: z.string(), changeNumber: z.int(), unchanged: z.boolean() };

const recordedSchema = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("accepted"), ...signerShape }),
  z.object({ outcome: z.literal("duplicate"), of: signedAtSchema.optional() }),
  z.object({ outcome: z.enum(["rejected", "removed"]) }),
  takenSchema.extend({ outcome: z.literal("line-taken") }),
]);

/**
 * Stores a line once, however often it is sent, and updates the set of signers. A second line of a voter is stored as a
 * duplicate. Guard `signatures.enter` first. Throws as `writeLines` does.
 */
export async function recordLine(
  { actorId, line }: { actorId: string; line: EnteredLine },
  runAfterResponse: RunAfterResponse,
): Promise<{ outcome: ChangeOutcome } & SignerSetUpdate> {
  const args = { p_actor_id: actorId, p_line: line };
  const result = await writeLines("record_line", args, recordedSchema, recordRefusals);
  switch (result.outcome) {
    case "accepted": {
      const update = await updateSignerSet({ ...result, campaign: line.campaign, isSigner: true }, runAfterResponse);
      return { outcome: { outcome: "stored", verdict: "accepted" }, ...update };
    }
    case "duplicate":
      return { outcome: { outcome: "duplicate", of: result.of ?? null }, isSetStale: false };
    case "rejected":
      return { outcome: { outcome: "stored", verdict: line.verdict }, isSetStale: false };
    case "removed":
      return { outcome: { outcome: "stored" }, isSetStale: false };
    case "line-taken":
      return { outcome: { outcome: "line-taken", taken: result.taken, error: takenText(result) }, isSetStale: false };
  }
}

/** The permission to change a line, as private.lock_line decides it. */
export const changePermission = (isOwn: boolean) => (isOwn ? "signatures.enter" : "signatures.remove");

type LineChange = Actor & { id: string; reason?: string | null };

const changedSchema = z.object({ outcome: z.enum(["removed", "restored"]), ...z.object(signerShape).partial().shape });

/**
 * Removes a line: a clerk's own needs `signatures.enter`, others' `signatures.remove` and a reason. The database checks
 * that; guard one of them first. Removing it again changes nothing.
 */
export async function removeLine(
  { id, reason = null, ...actor }: LineChange,
  runAfterResponse: RunAfterResponse,
): Promise<SignerSetUpdate> {
  const args = { ...actorArgs(actor), p_id: id, p_reason: reason };
  const result = await writeLines("remove_line", args, changedSchema, lineRefusals);
  return updateSignerSet({ ...result, campaign: actor.campaign, isSigner: false }, runAfterResponse);
}

/** Moves a line to another place, with the permission that removing it needs. */
export async function moveLine({
  id,
  sheet,
  line,
  reason = null,
  ...actor
}: LineChange & { sheet: number; line: number }): Promise<void> {
  const args = { ...actorArgs(actor), p_id: id, p_sheet: sheet, p_line: line, p_reason: reason };
  await writeLines("move_line", args, z.object({ outcome: z.literal("moved") }), moveRefusals);
}

/**
 * Restores a removed line, with the permission that removing it needs, and `signatures.remove` for what someone else
 * removed. Restoring it again changes nothing.
 */
export async function restoreLine(
  { id, reason = null, ...actor }: LineChange,
  runAfterResponse: RunAfterResponse,
): Promise<SignerSetUpdate> {
  const args = { ...actorArgs(actor), p_id: id, p_reason: reason };
  const result = await writeLines("restore_line", args, changedSchema, restoreRefusals);
  return updateSignerSet({ ...result, campaign: actor.campaign, isSigner: true }, runAfterResponse);
}

const correctedSchema = z.object({
  id: z.guid(),
  signers: z.array(z.object({ voterId: z.string(), changeNumber: z.int(), isSigner: z.boolean() })),
});

/**
 * Replaces a line with a corrected one of the same clerk, time and place, with the permission that removing it needs. Returns
 * the id of the new line.
 */
export async function correctLine(
  { id, correction, reason = null, ...actor }: LineChange & { correction: CorrectedLine },
  runAfterResponse: RunAfterResponse,
): Promise<{ id: string } & SignerSetUpdate> {
  const args = { ...actorArgs(actor), p_id: id, p_line: correction, p_reason: reason };
  const { id: newId, signers } = await writeLines("correct_line", args, correctedSchema, correctRefusals);
  let isSetStale = false;
  for (const signer of signers) {
    const update = await updateSignerSet({ ...signer, campaign: actor.campaign }, runAfterResponse);
    isSetStale ||= update.isSetStale;
  }
  return { id: newId, isSetStale };
}

type SignerChange = {
  campaign: string;
  voterId?: string;
  changeNumber?: number;
  unchanged?: boolean;
  isSigner: boolean;
};

/** `isSetStale`: the change is stored, but the set of signers couldn't be updated yet. */
type SignerSetUpdate = { isSetStale: boolean };

/**
 * Updates the set of signers after a stored change, then deletes the pending change. The schedule processes pending changes
 * that remain.
 */
async function updateSignerSet(
  { campaign, voterId, changeNumber, unchanged: alreadyStored, isSigner }: SignerChange,
  runAfterResponse: RunAfterResponse,
): Promise<SignerSetUpdate> {
  if (voterId === undefined || changeNumber === undefined) return { isSetStale: false };
  const change = { campaignId: campaign, voterId, changeNumber };
  try {
    const setChange = isSigner ? await addSigner(change) : await removeSigner(change);
    // The database has just decided. If the set differs, it was wrong before, or another request was faster.
    if (!alreadyStored && setChange !== (isSigner ? "added" : "removed")) {
      logEvent("signer-set-differed", { campaign, changeNumber, isSigner, setChange });
    }
  } catch (error) {
    logEvent("signer-set-behind", { campaign, changeNumber, why: error instanceof Error ? error.message : "unknown" });
    return { isSetStale: true };
  }
  runAfterResponse(async () => {
    const args = { p_campaign_id: campaign, p_voter_id: voterId, p_change_number: changeNumber };
    try {
      await callSql("delete_applied_signer_changes", args, z.unknown());
    } catch (error) {
      logFailure("The pending change of a signer stays for the schedule.", error); // carrying it out again changes nothing
    }
  });
  return { isSetStale: false };
}
