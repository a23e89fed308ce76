import "server-only";
import { withSignerSet } from "@/lib/signers/with-signer-set";
import { applySignerChange } from "@/supabase/functions/_shared/signers";

/**
 * Removes a voter from the campaign's set of signers, as the change of her line with this number says: `removed`,
 * `absent` when she was not there, `superseded` when a newer change has been applied. Throws as `addSigner` does.
 */
export async function removeSigner(change: {
  campaignId: string;
  voterId: string;
  changeNumber: number;
}): Promise<"removed" | "absent" | "superseded"> {
  const applied = await withSignerSet(change.campaignId, (redis) =>
    applySignerChange(redis, { ...change, member: false }),
  );
  if (applied === "superseded") return applied;
  return applied === 1 ? "removed" : "absent";
}
