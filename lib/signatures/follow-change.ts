import "server-only";
import { logEvent, logFailure } from "@/lib/log-event";
import { addSigner, removeSigner } from "@/lib/signers/signers";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

/** Runs what need not be awaited before the answer: `after` of next/server. */
export type Later = (task: () => Promise<void>) => void;

export type SignerChange = {
  campaignId: string;
  voterId: string;
  changeNumber: number;
  member: boolean;
  /** The change had been answered before, so the set may have it. */
  again: boolean;
};

/**
 * Lets the set of signers follow a change that the database has stored, and deletes the change's note later. False when
 * the set could not be written now: the note waits, and the schedule carries it out.
 */
export async function followChange({ member, again, ...change }: SignerChange, later: Later): Promise<boolean> {
  const { campaignId: campaign, changeNumber } = change;
  try {
    const found = member ? await addSigner(change) : await removeSigner(change);
    // The database has just decided. When the set knew better, it was wrong before, or somebody else was faster.
    if (!again && found !== (member ? "added" : "removed")) {
      logEvent("signer-set-differed", { campaign, changeNumber, member, found });
    }
  } catch (error) {
    logEvent("signer-set-behind", { campaign, changeNumber, why: error instanceof Error ? error.message : "unknown" });
    return false;
  }
  later(() => forgetChange(change));
  return true;
}

// A note that stays is carried out once more, which changes nothing.
async function forgetChange({ campaignId, voterId, changeNumber }: Omit<SignerChange, "member" | "again">) {
  try {
    const given = { p_campaign_id: campaignId, p_voter_id: voterId, p_change_number: changeNumber };
    const call = createAdminClient().rpc("forget_signer_change", given);
    unwrap(await call);
  } catch (error) {
    logFailure("The note of a signer stays for the schedule.", error);
  }
}
