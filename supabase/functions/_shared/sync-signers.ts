import { z } from "npm:zod@4.6.7";
import { type RebuildCounts, type RebuildSteps, rebuildSigners } from "./rebuild-signers.ts";
import { serverRun } from "./server-run.ts";
import { applySignerChange, signersBuiltKey, signersKey } from "./signers.ts";

/** A voter whose line was changed: whether she has signed now, and the number of her last change. */
type SignerChange = { campaignId: string; voterId: string; member: boolean; changeNumber: number };

export type SyncSteps = RebuildSteps & {
  campaigns(): Promise<{ campaignId: string; anySigner: boolean }[]>;
  /** Lets changes from now on have numbers above all that Redis remembers. */
  renewNumbers(): Promise<void>;
  /** Notes that these sets are to be built anew, and answers the number of the note for each. */
  askFor(campaignIds: string[]): Promise<Record<string, number>>;
  /** The sets that notes ask for, the first asked for first. */
  askedFor(): Promise<{ campaignId: string; numbers: number[] }[]>;
  forgetAskedFor(campaignId: string, numbers: number[]): Promise<void>;
  /** The oldest notes of voters with what they lead to, and how many are left beside them. */
  readNotes(limit: number): Promise<{ ids: number[]; changes: SignerChange[]; left: number }>;
  deleteNotes(ids: number[]): Promise<void>;
  /** Steps of building sets in one call: a page of voters, or another step of a run. */
  mostSteps?: number;
};

/**
 * One campaign, all, or (neither) those whose set is not known to be complete. With `asked`, the number that an earlier call
 * answered, that call's campaign is gone on with instead of being asked for anew.
 */
export type SyncScope = { campaignId?: string; asked?: number; all?: boolean };

export type SyncResult = {
  /** The sets that were done. */
  campaigns: ({ campaignId: string } & RebuildCounts)[];
  notes: number;
  /** What is left for the next calls: sets to build, notes to carry out (counted to 10 000). */
  left: { campaigns: number; notes: number };
  /** What the one campaign was asked for by. */
  asked?: number;
};

// What one call does at most, of the 2 s of CPU and the 150 s that Supabase gives it.
const mostNotes = 5_000;
const patience = 20_000; // ms, after which nothing more is begun
const batch = 500; // notes

/**
 * Notes which sets in scope are to be built, builds those that notes ask for, and carries out notes of changes: a bounded
 * part of each, and the next calls go on. A note is deleted only after the set holds what it tells, so that a
 * synchronisation that fails or is cut off anywhere loses nothing. Answers null when the campaign in scope does not exist.
 */
export async function syncSigners(
  steps: SyncSteps,
  { campaignId, asked: askedBefore, all = false }: SyncScope,
): Promise<SyncResult | null> {
  const until = performance.now() + patience;
  const known = await steps.campaigns();
  if (campaignId !== undefined && !known.some((campaign) => campaign.campaignId === campaignId)) return null;

  let sets = await steps.askedFor();
  const isAsked = all || (campaignId !== undefined && askedBefore === undefined);
  if (isAsked) await steps.renewNumbers(); // the database may be restored, or another one
  const toAsk = all
    ? known
    : campaignId === undefined
      ? await incompleteOf(
          steps,
          known.filter((campaign) => !sets.some((set) => set.campaignId === campaign.campaignId)),
        )
      : known.filter((campaign) => isAsked && campaign.campaignId === campaignId);
  let asked = askedBefore;
  if (toAsk.length > 0) {
    const numbers = await steps.askFor(toAsk.map((campaign) => campaign.campaignId));
    if (campaignId !== undefined) asked = numbers[campaignId];
    sets = await steps.askedFor();
  }

  const campaigns: SyncResult["campaigns"] = [];
  const failures: unknown[] = []; // told at the end: one set that cannot be built holds up no other campaign
  let stepsLeft = steps.mostSteps ?? 100;
  const mayGoOn = () => stepsLeft-- > 0 && performance.now() < until;
  for (const set of sets) {
    if (campaignId !== undefined && set.campaignId !== campaignId) continue;
    try {
      const counts = await buildInTurn(steps, set, mayGoOn);
      if (counts) campaigns.push({ campaignId: set.campaignId, ...counts });
    } catch (error) {
      failures.push(error);
    }
    if (stepsLeft <= 0 || performance.now() >= until) break;
  }
  const isDoneElsewhere = !sets.some((set) => asked !== undefined && set.numbers.includes(asked));
  if (campaignId !== undefined && isDoneElsewhere) {
    campaigns.push({ campaignId, ...(await readCounts(steps, campaignId)) });
  }

  let notes = 0;
  let notesLeft: number;
  do {
    const { ids, changes, left } = await steps.readNotes(batch);
    await steps.withStore((store) => Promise.all(changes.map((change) => applySignerChange(store, change))));
    if (ids.length > 0) await steps.deleteNotes(ids);
    notes += ids.length;
    notesLeft = left;
  } while (notesLeft > 0 && notes < mostNotes && performance.now() < until);
  if (failures.length > 0) throw failures[0];
  const left = { campaigns: sets.length === 0 ? 0 : (await steps.askedFor()).length, notes: notesLeft };
  return { campaigns, notes, left, ...(campaignId !== undefined && asked !== undefined && { asked }) };
}

// A run that is under way already is older than notes which it does not serve: those are for another one after it.
async function buildInTurn(
  steps: SyncSteps,
  { campaignId, numbers }: { campaignId: string; numbers: number[] },
  mayGoOn: () => boolean,
): Promise<RebuildCounts | undefined> {
  for (let left = numbers; ; ) {
    const done = await rebuildSigners(steps, { campaignId, numbers: left }, mayGoOn);
    if (!done) return undefined;
    const { served, ...counts } = done;
    await steps.forgetAskedFor(campaignId, served);
    left = left.filter((number) => !served.includes(number));
    if (left.length === 0) return counts;
  }
}

async function incompleteOf<Campaign extends { campaignId: string; anySigner: boolean }>(
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

// The type of the set, when this very server has seen it built.
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
