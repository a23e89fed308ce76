import "server-only";
import { withSignerSet } from "@/lib/signers/with-signer-set";
import { applySignerChange } from "@/supabase/functions/_shared/signers";

/**
 * Adds a voter to the campaign's set of signers, as the change of her line with this number says: `added`, `present` when
 * she was there already, `superseded` when a newer change has been applied. Throws as `hasSigner` does, and when the set
 * cannot be written.
 */
export async function addSigner(change: {
  campaignId: string;
  voterId: string;
  changeNumber: number;
}): Promise<"added" | "present" | "superseded"> {
  const applied = await withSignerSet(change.campaignId, (redis) =>
    applySignerChange(redis, { ...change, member: true }),
  );
  if (applied === "superseded") return applied;
  return applied === 1 ? "added" : "present";
}
