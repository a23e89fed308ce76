import { type RebuildCounts, type RebuildSteps, RunLost, rebuildSigners, type SetStore } from "./rebuild-signers.ts";
import { applySignerChange, signersBuiltKey, signersKey } from "./signers.ts";

/** A voter whose line was changed: whether she has signed now, and the number of her last change. */
type SignerChange = { campaignId: string; voterId: string; member: boolean; changeNumber: number };

export type SyncSteps = RebuildSteps & {
  campaigns(): Promise<{ campaignId: string; anySigner: boolean }[]>;
  /** Lets changes from now on have numbers above all that Redis remembers. */
  renewNumbers(): Promise<void>;
  /** The oldest notes with what they lead to; `rebuild` holds the campaigns whose lines were changed all at once. */
  readNotes(limit: number): Promise<{ ids: number[]; changes: SignerChange[]; rebuild: string[] }>;
  deleteNotes(ids: number[]): Promise<void>;
};

/** One campaign, all, or (neither) those whose set is not known to be complete. */
export type SyncScope = { campaignId?: string; all?: boolean };

export type SyncResult = { campaigns: ({ campaignId: string } & RebuildCounts)[]; notes: number };

const batch = 500; // notes
const patience = 20_000; // ms; longer than a run that died keeps its set

/**
 * Rebuilds the sets in scope, then carries out the notes of changes until none is left. A note is deleted only after the
 * set holds what it tells, so that a synchronisation that fails anywhere loses nothing. Answers null when the campaign in
 * scope does not exist.
 */
export async function syncSigners(
  steps: SyncSteps,
  { campaignId, all = false }: SyncScope,
): Promise<SyncResult | null> {
  const known = await steps.campaigns();
  if (campaignId !== undefined && !known.some((campaign) => campaign.campaignId === campaignId)) return null;
  if (all || campaignId !== undefined) await steps.renewNumbers(); // the database may be restored, or another one
  const campaigns: SyncResult["campaigns"] = [];
  const failures: unknown[] = []; // told at the end: one set that cannot be built holds up no other campaign
  for (const campaign of known) {
    const asked = all || campaign.campaignId === campaignId;
    try {
      if (!asked && (campaignId !== undefined || (await isComplete(steps, campaign)))) continue;
      // What nobody asked for is left to a run that is there already, or to the next call.
      const counts = await rebuildInTurn(steps, campaign.campaignId, asked ? patience : 0);
      if (counts) campaigns.push({ campaignId: campaign.campaignId, ...counts });
      else if (asked) throw new RunLost(`The set of ${campaign.campaignId} is being built by another run.`);
    } catch (error) {
      failures.push(error);
    }
  }

  let notes = 0;
  for (;;) {
    const { ids, changes, rebuild } = await steps.readNotes(batch);
    if (ids.length === 0) break;
    for (const emptied of rebuild) {
      const counts = await rebuildInTurn(steps, emptied, patience);
      if (!counts) throw new RunLost(`The set of ${emptied} is being built by another run.`);
      campaigns.push({ campaignId: emptied, ...counts });
    }
    await steps.withStore((store) => Promise.all(changes.map((change) => applySignerChange(store, change))));
    await steps.deleteNotes(ids);
    notes += ids.length;
  }
  if (failures.length > 0) throw failures[0];
  return { campaigns, notes };
}

// Undefined when the set was in other hands for all of the time.
async function rebuildInTurn(steps: SyncSteps, campaignId: string, milliseconds: number) {
  const deadline = performance.now() + milliseconds;
  for (;;) {
    try {
      return await rebuildSigners(steps, campaignId);
    } catch (error) {
      if (!(error instanceof RunLost)) throw error;
      if (performance.now() >= deadline) return undefined;
      await new Promise((next) => setTimeout(next, 200));
    }
  }
}

async function isComplete({ withStore }: SyncSteps, campaign: { campaignId: string; anySigner: boolean }) {
  const keys = [signersBuiltKey(campaign.campaignId), signersKey(campaign.campaignId)];
  const type = await withStore((store: SetStore) => store.eval(completeScript, keys.length, ...keys));
  return type === "set" || (type === "none" && !campaign.anySigner);
}

// The type of the set, when this very server has seen it built.
const completeScript = `
if redis.call('TYPE', KEYS[1]).ok ~= 'hash' then return 'unknown' end
local server = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
if redis.call('HGET', KEYS[1], 'server') ~= server then return 'unknown' end
return redis.call('TYPE', KEYS[2]).ok
`;
