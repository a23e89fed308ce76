import { z } from "npm:zod@4.6.7";
import { type RebuildCounts, type RebuildSteps, rebuildSigners } from "./rebuild-signers.ts";
import { serverRun } from "./server-run.ts";
import { applySignerChange, signersBuiltKey, signersKey } from "./signers.ts";

/** A voter whose line was changed: whether they have signed now, and the number of their last change. */
type SignerChange = { campaignId: string; voterId: string; member: boolean; changeNumber: number };

export type SyncSteps = RebuildSteps & {
  campaigns(): Promise<{ campaignId: string; anySigner: boolean }[]>;
  /** Makes future change numbers higher than any that Redis remembers. */
  renewNumbers(): Promise<void>;
  /** Requests that these sets be rebuilt, and returns the number of each request. */
  requestRebuilds(campaignIds: string[]): Promise<Record<string, number>>;
  /** The sets to rebuild, oldest request first. */
  listRequests(): Promise<{ campaignId: string; numbers: number[] }[]>;
  deleteRequests(campaignId: string, numbers: number[]): Promise<void>;
  /** The oldest pending changes of changed voters, and how many are left after them. */
  readPending(limit: number): Promise<{ ids: number[]; changes: SignerChange[]; left: number }>;
  deletePending(ids: number[]): Promise<void>;
  /** Limits the steps of one call: a page of voters, or another step of a run. */
  maxSteps?: number;
};

/**
 * One campaign, all, or (neither) those whose set may be incomplete. `requestNumber` is the one that an earlier call
 * returned: its rebuild is continued instead of requested again.
 */
export type SyncScope = { campaignId?: string; requestNumber?: number; all?: boolean };

export type SyncResult = {
  /** The sets that were rebuilt. */
  campaigns: ({ campaignId: string } & RebuildCounts)[];
  changes: number;
  /** What is left for the next calls: sets to rebuild, and pending changes (counted up to 10,000). */
  left: { campaigns: number; changes: number };
  /** The request number of the one campaign. */
  requestNumber?: number;
};

// Limits of one call, within the 2 s of CPU and 150 s that Supabase allows.
const maxChanges = 5_000;
const startLimitMs = 20_000; // nothing new starts after that
const changesPerBatch = 500;

/**
 * Requests rebuilds of the sets in scope, rebuilds the requested ones, and applies pending changes. It does a limited part of
 * each; the next calls continue. A pending change is deleted only after it is in the set, so a call that fails anywhere loses
 * nothing. Returns null when the campaign in scope doesn't exist.
 */
export async function syncSigners(
  steps: SyncSteps,
  { campaignId, requestNumber: earlierNumber, all = false }: SyncScope,
): Promise<SyncResult | null> {
  const deadline = performance.now() + startLimitMs;
  const existing = await steps.campaigns();
  if (campaignId !== undefined && !existing.some((campaign) => campaign.campaignId === campaignId)) return null;

  let sets = await steps.listRequests();
  const isRequested = all || (campaignId !== undefined && earlierNumber === undefined);
  if (isRequested) await steps.renewNumbers(); // the database may have been restored or replaced
  const toRequest = all
    ? existing
    : campaignId === undefined
      ? await listIncomplete(
          steps,
          existing.filter((campaign) => !sets.some((set) => set.campaignId === campaign.campaignId)),
        )
      : existing.filter((campaign) => isRequested && campaign.campaignId === campaignId);
  let requestNumber = earlierNumber;
  if (toRequest.length > 0) {
    const numbers = await steps.requestRebuilds(toRequest.map((campaign) => campaign.campaignId));
    if (campaignId !== undefined) requestNumber = numbers[campaignId];
    sets = await steps.listRequests();
  }

  const campaigns: SyncResult["campaigns"] = [];
  const failures: unknown[] = []; // thrown at the end: one failing set must not hold up the others
  let stepsLeft = steps.maxSteps ?? 100;
  const mayContinue = () => stepsLeft-- > 0 && performance.now() < deadline;
  for (const set of sets) {
    if (campaignId !== undefined && set.campaignId !== campaignId) continue;
    try {
      const counts = await rebuildInTurn(steps, set, mayContinue);
      if (counts) campaigns.push({ campaignId: set.campaignId, ...counts });
    } catch (error) {
      failures.push(error);
    }
    if (stepsLeft <= 0 || performance.now() >= deadline) break;
  }
  const isDoneElsewhere = !sets.some((set) => requestNumber !== undefined && set.numbers.includes(requestNumber));
  if (campaignId !== undefined && isDoneElsewhere) {
    campaigns.push({ campaignId, ...(await readCounts(steps, campaignId)) });
  }

  let applied = 0;
  let changesLeft: number;
  do {
    const { ids, changes, left } = await steps.readPending(changesPerBatch);
    await steps.withStore((store) => Promise.all(changes.map((change) => applySignerChange(store, change))));
    if (ids.length > 0) await steps.deletePending(ids);
    applied += ids.length;
    changesLeft = left;
  } while (changesLeft > 0 && applied < maxChanges && performance.now() < deadline);
  if (failures.length > 0) throw failures[0];
  const left = { campaigns: sets.length === 0 ? 0 : (await steps.listRequests()).length, changes: changesLeft };
  return {
    campaigns,
    changes: applied,
    left,
    ...(campaignId !== undefined && requestNumber !== undefined && { requestNumber }),
  };
}

// A run already under way doesn't serve newer requests: they need another run after it.
async function rebuildInTurn(
  steps: SyncSteps,
  { campaignId, numbers }: { campaignId: string; numbers: number[] },
  mayContinue: () => boolean,
): Promise<RebuildCounts | undefined> {
  for (let remaining = numbers; ; ) {
    const result = await rebuildSigners(steps, { campaignId, numbers: remaining }, mayContinue);
    if (!result) return undefined;
    const { served, ...counts } = result;
    await steps.deleteRequests(campaignId, served);
    remaining = remaining.filter((number) => !served.includes(number));
    if (remaining.length === 0) return counts;
  }
}

async function listIncomplete<Campaign extends { campaignId: string; anySigner: boolean }>(
  { withStore }: SyncSteps,
  campaigns: Campaign[],
): Promise<Campaign[]> {
  const types = await withStore((store) =>
    Promise.all(
      campaigns.map(({ campaignId }) =>
        store.eval(completeScript, 2, signersBuiltKey(campaignId), signersKey(campaignId)),
      ),
    ),
  );
  return campaigns.filter(
    ({ anySigner }, index) => !(types[index] === "set" || (types[index] === "none" && !anySigner)),
  );
}

// The type of the set, if this server has seen it built.
const completeScript = `
if redis.call('TYPE', KEYS[1]).ok ~= 'hash' then return 'unknown' end
${serverRun}
if redis.call('HGET', KEYS[1], 'server') ~= (run or '') then return 'unknown' end
return redis.call('TYPE', KEYS[2]).ok
`;

const countsSchema = z.tuple([z.coerce.number(), z.coerce.number(), z.coerce.number()]);

async function readCounts({ withStore }: SyncSteps, campaignId: string): Promise<RebuildCounts> {
  const script = "return redis.call('HMGET', KEYS[1], 'read', 'added', 'dropped')";
  const counts = await withStore((store) => store.eval(script, 1, signersBuiltKey(campaignId)));
  const [read, added, dropped] = countsSchema.parse(counts);
  return { read, added, dropped };
}
