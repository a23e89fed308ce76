import { signerChangeKey, signersBuiltKey, signersKey, signersRunKey, signersSyncKey } from "./signers.ts";

/** What is needed of a Redis client; ioredis has it for a server and for a cluster, in Node and in Deno. */
export type SetStore = {
  eval(script: string, numberOfKeys: number, ...keysAndArguments: string[]): Promise<unknown>;
  sscan(key: string, cursor: string, option: "COUNT", count: number): Promise<[cursor: string, members: string[]]>;
  smismember(key: string, members: string[]): Promise<number[]>;
  mget(keys: string[]): Promise<(string | null)[]>;
};

/** What is needed of the table of lines. Live lines alone count. */
type SignerTable = {
  count(campaignId: string): Promise<number>;
  /** Voters after `after` in the order of their ids; no more than `limit`, and fewer only at the end. */
  page(campaignId: string, after: string, limit: number): Promise<string[]>;
  /** Those of the voters who have signed. */
  live(campaignId: string, voterIds: string[]): Promise<string[]>;
};

export type RebuildSteps = {
  withStore<Result>(run: (store: SetStore) => Promise<Result>): Promise<Result>;
  table: SignerTable;
  /** Voters read at once. */
  pageSize?: number;
};

/** Voters read from the table, and what that changed: members now who were not before, and the other way round. */
export type RebuildCounts = { read: number; added: number; dropped: number };

/** Another run builds this set, or Redis lost what this run had built. Nothing was swapped in. */
export class RunLost extends Error {}

const lease = 15_000; // ms without a page, after which a run counts as dead; what it built goes with it
// ms; changes are told by the numbers that signers.ts remembers for an hour
const longestRun = 45 * 60_000;

/**
 * Builds a campaign's set anew from the table and swaps it in. Adds and removes go on meanwhile and none is lost:
 *
 * A change in Signet, or a note carried out, is applied to the set in use, with its number beside it. So a voter whose
 * change the new set has missed differs between the two sets and has a number. The table is asked for those voters, once
 * before the swap, to make it exact but for a moment, and once after, against the set as it was at the swap. A number
 * that changed in between is a newer change, which the set in use has had already.
 *
 * One run at a time owns a campaign, and every step asks whether it still does. Throws RunLost when not; an error before
 * the swap leaves the old set, one after it leaves the set without the mark of a complete one, which `syncSigners` sees.
 */
export async function rebuildSigners(
  { withStore, table, pageSize = 2_000 }: RebuildSteps,
  campaignId: string,
): Promise<RebuildCounts> {
  const run = crypto.randomUUID();
  const began = performance.now();
  const set = signersKey(campaignId);
  const ownerKey = signersRunKey(campaignId);
  const building = signersSyncKey(campaignId, run);
  const before = signersSyncKey(campaignId, `${run}:before`);
  const ask = async (script: string, keys: string[], ...given: string[]) => {
    if (performance.now() - began > longestRun) throw new RunLost("The run took too long.");
    const all = [ownerKey, ...keys];
    const reply = await withStore((store) => store.eval(script, all.length, ...all, run, String(lease), ...given));
    if (reply === "lost") throw new RunLost(`Run ${run} does not own the set of ${campaignId} any more.`);
    return reply;
  };

  // Sets the voters as the table has them, where it is not known to be older than what was applied.
  const replay = async (target: string, voterIds: string[]) => {
    const keys = voterIds.map((voterId) => signerChangeKey(campaignId, voterId));
    const numbers = await withStore((store) => store.mget(keys));
    const changed = voterIds.flatMap((voterId, index) => {
      const number = numbers[index];
      return typeof number === "string" ? [{ voterId, number }] : [];
    });
    if (changed.length === 0) return;
    const live = new Set(
      await table.live(
        campaignId,
        changed.map(({ voterId }) => voterId),
      ),
    );
    await ask(
      replayScript,
      [target, ...changed.map(({ voterId }) => signerChangeKey(campaignId, voterId))],
      ...changed.flatMap(({ voterId, number }) => [live.has(voterId) ? "SADD" : "SREM", voterId, number]),
    );
  };

  const missingFrom = async (key: string, voterIds: string[]) => {
    const found = await withStore((store) => store.smismember(key, voterIds));
    return voterIds.filter((_, index) => found[index] !== 1);
  };

  // Goes through those of a set who are not in another one, page by page.
  const eachOnlyIn = async (from: string, other: string, visit: (voterIds: string[]) => Promise<void>) => {
    let cursor = "0";
    do {
      const [next, members] = await withStore((store) => store.sscan(from, cursor, "COUNT", pageSize));
      const alone = members.length > 0 ? await missingFrom(other, members) : [];
      if (alone.length > 0) await visit(alone);
      await ask(renewScript, [building, before]);
      cursor = next;
    } while (cursor !== "0");
  };

  // Counts in a set: a scan may meet a member twice.
  const count = async (name: string, voterIds: string[]) => {
    if (voterIds.length === 0) return 0;
    return Number(await ask(collectScript, [signersSyncKey(campaignId, `${run}:${name}`)], ...voterIds));
  };

  try {
    const type = await ask(beginScript, [set], String(await table.count(campaignId)));
    let after = "";
    let read = 0;
    for (;;) {
      const voterIds = await table.page(campaignId, after, pageSize);
      const last = voterIds.at(-1);
      if (last !== undefined) read = Number(await ask(addScript, [building], ...voterIds));
      if (last === undefined || voterIds.length < pageSize) break;
      after = last;
    }

    if (type === "set") {
      await eachOnlyIn(set, building, (voterIds) => replay(building, voterIds));
      await eachOnlyIn(building, set, (voterIds) => replay(building, voterIds));
    }
    await ask(swapScript, [building, set, before, signersBuiltKey(campaignId)]);

    let dropped = 0;
    await eachOnlyIn(before, set, async (voterIds) => {
      await replay(set, voterIds);
      dropped += await count("dropped", await missingFrom(set, voterIds));
    });
    let added = 0;
    await eachOnlyIn(set, before, async (voterIds) => {
      await replay(set, voterIds);
      const gone = new Set(await missingFrom(set, voterIds));
      added += await count(
        "added",
        voterIds.filter((voterId) => !gone.has(voterId)),
      );
    });
    await ask(finishScript, [set, signersBuiltKey(campaignId)], new Date().toISOString());
    return { read, added, dropped };
  } finally {
    const leftovers = ["added", "dropped"].map((name) => signersSyncKey(campaignId, `${run}:${name}`));
    await ask(endScript, [building, before, ...leftovers]).catch(() => undefined); // else they expire
  }
}

// Each script begins so: KEYS[1] names the run that owns the set, ARGV[1] is this run, ARGV[2] its lease.
const owned = `
if redis.call('HGET', KEYS[1], 'run') ~= ARGV[1] then return 'lost' end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
`;

const beginScript = `
if redis.call('EXISTS', KEYS[1]) == 1 then return 'lost' end
redis.call('HSET', KEYS[1], 'run', ARGV[1], 'read', 0, 'built', 0, 'total', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return redis.call('TYPE', KEYS[2]).ok
`;

// `built` is how many members the new set must have: were some evicted meanwhile, it is not swapped in.
const addScript = `${owned}
local added = redis.call('SADD', KEYS[2], unpack(ARGV, 3))
redis.call('PEXPIRE', KEYS[2], ARGV[2])
redis.call('HINCRBY', KEYS[1], 'built', added)
return redis.call('HINCRBY', KEYS[1], 'read', #ARGV - 2)
`;

const renewScript = `${owned}
for index = 2, #KEYS do redis.call('PEXPIRE', KEYS[index], ARGV[2]) end
return 'renewed'
`;

// KEYS[2] is the set, each further key the number of a voter; ARGV holds her command, her id, and the number as it was.
const replayScript = `${owned}
local changed = 0
for index = 3, #KEYS do
  local given = 3 * (index - 2)
  local number = redis.call('GET', KEYS[index])
  if not number or number == ARGV[given + 2] then
    local result = redis.call(ARGV[given], KEYS[2], ARGV[given + 1])
    changed = changed + (ARGV[given] == 'SADD' and result or -result)
  end
end
redis.call('HINCRBY', KEYS[1], 'built', changed)
return 'replayed'
`;

// What is there and is no set is not kept: nobody could ask it.
const swapScript = `${owned}
if redis.call('SCARD', KEYS[2]) ~= tonumber(redis.call('HGET', KEYS[1], 'built')) then return 'lost' end
redis.call('DEL', KEYS[5])
if redis.call('TYPE', KEYS[3]).ok == 'set' then
  redis.call('RENAME', KEYS[3], KEYS[4])
  redis.call('PEXPIRE', KEYS[4], ARGV[2])
else
  redis.call('DEL', KEYS[3])
end
if redis.call('EXISTS', KEYS[2]) == 1 then
  redis.call('RENAME', KEYS[2], KEYS[3])
  redis.call('PERSIST', KEYS[3])
end
return 'swapped'
`;

const collectScript = `${owned}
local added = redis.call('SADD', KEYS[2], unpack(ARGV, 3))
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return added
`;

// With the run id of the server: a set that came back from a dump, or from a replica, may be older than it says.
const finishScript = `${owned}
redis.call('HSET', KEYS[3], 'at', ARGV[3], 'server', string.match(redis.call('INFO', 'server'), 'run_id:(%w+)'))
return 'built'
`;

const endScript = `
for index = 2, #KEYS do redis.call('UNLINK', KEYS[index]) end
if redis.call('HGET', KEYS[1], 'run') == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 'ended'
`;
