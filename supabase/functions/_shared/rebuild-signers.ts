import { z } from "npm:zod@4.6.7";
import { serverRun } from "./server-run.ts";
import { signersBuiltKey, signersKey, signersRunKey, signersSyncKey } from "./signers.ts";

/** The used part of ioredis, which is the same for a server and a cluster, in Node and in Deno. */
export type SetStore = {
  eval(script: string, numberOfKeys: number, ...keysAndArguments: string[]): Promise<unknown>;
};

/** The table of lines. Only live lines count. */
type SignerTable = {
  count(campaignId: string): Promise<number>;
  /** Up to `limit` voters after `after`, in the order of their ids; fewer only at the end. */
  page(campaignId: string, after: string, limit: number): Promise<string[]>;
};

export type RebuildSteps = {
  withStore<Result>(run: (store: SetStore) => Promise<Result>): Promise<Result>;
  table: SignerTable;
  pageSize?: number;
};

/** Voters read from the table, and how many members that added and dropped. */
export type RebuildCounts = { read: number; added: number; dropped: number };

/** The numbers of the requests for a rebuild. */
type Requests = { campaignId: string; numbers: number[] };

const idleTimeoutMs = 15 * 60_000; // a run without a step in that time expires, with all that it built

const numbersSchema = z
  .string()
  .transform((text): unknown => JSON.parse(text))
  .pipe(z.array(z.number()));
// The current run, or the counts of the last one.
const stateSchema = z.union([
  z.tuple([z.string().min(1), numbersSchema, z.string(), z.string()]),
  z.tuple([z.literal(""), numbersSchema, z.coerce.number(), z.coerce.number(), z.coerce.number()]),
]);

/**
 * Continues rebuilding a campaign's set from the table, step by step while `mayContinue`, and swaps it in. Changes made during
 * the rebuild aren't lost: `applySignerChange` also applies them to the new set, and records which voter each one is about.
 * Pages may be older, so they skip those voters. The new set is therefore always right for voters who were changed
 * or read, and for all voters at the swap.
 *
 * The run's progress is in Redis and is updated by the script that does each step. If a call is cut off, the next one continues
 * from there. Two calls at once do each step only once, and both get the result. A run that serves none of the given requests
 * is replaced by a new one.
 *
 * Returns the counts and the requests it served, or undefined if the rebuild isn't finished. Until the swap the current set
 * and its mark stay unchanged.
 */
export async function rebuildSigners(
  { withStore, table, pageSize = 2_000 }: RebuildSteps,
  { campaignId, numbers }: Requests,
  mayContinue: () => boolean,
): Promise<(RebuildCounts & { served: number[] }) | undefined> {
  const keys = [
    signersRunKey(campaignId),
    signersSyncKey(campaignId, "new"),
    signersSyncKey(campaignId, "changed"),
    signersSyncKey(campaignId, "before"),
    signersKey(campaignId),
    signersBuiltKey(campaignId),
  ];
  const evaluate = (script: string, ...args: string[]) =>
    withStore((store) => store.eval(prelude + script, keys.length, ...keys, ...args, String(idleTimeoutMs)));

  const takeStep = async (run: string, phase: string, after: string) => {
    if (phase === "swap") return evaluate(swapScript, run, new Date().toISOString());
    if (phase === "count") return evaluate(countScript, run);
    const voterIds = await table.page(campaignId, after, pageSize);
    const next = voterIds.length < pageSize ? "" : (voterIds.at(-1) ?? "");
    return evaluate(addScript, run, after, next, ...voterIds);
  };

  let reply = await evaluate("return state()");
  for (let hasBegun = false; ; ) {
    const state = stateSchema.parse(reply);
    const [run, served] = state;
    const isServed = numbers.some((number) => served.includes(number));
    if (state.length === 5 && isServed) {
      const [, , read, added, dropped] = state;
      return { read, added, dropped, served };
    }
    if (!mayContinue()) return undefined;
    if (!isServed && !hasBegun) {
      hasBegun = true;
      const total = await table.count(campaignId);
      reply = await evaluate(beginScript, run, crypto.randomUUID(), JSON.stringify(numbers), String(total));
    } else if (state.length === 5) {
      return undefined; // Redis has lost the run, or it was one that another call began
    } else {
      const [, , phase, after] = state;
      reply = await takeStep(run, phase, after);
    }
  }
}

// Each script starts with this. Its first argument is the run's id, its last one the idle timeout; it returns the new state.
// Keys of another type weren't written here and are deleted; the set itself is replaced at the swap.
const prelude = `
local build, new, changed, before, set, built = unpack(KEYS)
local idle_timeout = table.remove(ARGV)
for key, type in pairs({ [build] = 'hash', [built] = 'hash', [new] = 'set', [changed] = 'set', [before] = 'set' }) do
  local actual = redis.call('TYPE', key).ok
  if actual ~= type and actual ~= 'none' then redis.call('DEL', key) end
end
local function get(field) return redis.call('HGET', build, field) or '' end
local function extend()
  for _, key in ipairs({ build, new, changed, before }) do redis.call('PEXPIRE', key, idle_timeout) end
end
local function is_at(phase) return get('id') == ARGV[1] and get('phase') == phase end
local function server()
  ${serverRun}
  return run or ''
end
local function state()
  if redis.call('EXISTS', build) == 1 then return { get('id'), get('numbers'), get('phase'), get('after') } end
  if redis.call('HGET', built, 'server') ~= server() then
    return { '', '[]', 0, 0, 0 }
  end
  local last = redis.call('HMGET', built, 'numbers', 'read', 'added', 'dropped')
  return { '', last[1] or '[]', last[2] or 0, last[3] or 0, last[4] or 0 }
end
`;

const beginScript = `
if get('id') == ARGV[1] then
  redis.call('UNLINK', build, new, changed, before)
  redis.call('HSET', build, 'id', ARGV[2], 'numbers', ARGV[3], 'total', ARGV[4], 'phase', 'read', 'after', '',
    'read', 0, 'built', 0, 'changes', 0, 'dropped', 0, 'server', server())
  extend()
end
return state()
`;

// `built` and `changes` are the sizes that the new set and the set of changed voters must have at the swap.
const addScript = `
if is_at('read') and get('after') == ARGV[2] then
  local voters = { unpack(ARGV, 4) }
  if #voters > 0 then
    local unchanged = {}
    for index, was_changed in ipairs(redis.call('SMISMEMBER', changed, unpack(voters))) do
      if was_changed == 0 then table.insert(unchanged, voters[index]) end
    end
    if #unchanged > 0 then redis.call('HINCRBY', build, 'built', redis.call('SADD', new, unpack(unchanged))) end
    redis.call('HINCRBY', build, 'read', #voters)
  end
  if ARGV[3] == '' then redis.call('HSET', build, 'phase', 'swap') else redis.call('HSET', build, 'after', ARGV[3]) end
  extend()
end
return state()
`;

// Doesn't swap if members were evicted, or if the server was restored from a dump or is a promoted replica: both can
// lack changes. Without the server's run id that can't be detected later, so the set is rebuilt every hour.
// A key that isn't a set is deleted, because it can't be read as one.
const swapScript = `
if is_at('swap') then
  local current_server = server()
  if redis.call('SCARD', new) ~= tonumber(get('built')) or redis.call('SCARD', changed) ~= tonumber(get('changes'))
    or get('server') ~= current_server
  then
    redis.call('UNLINK', build, new, changed, before)
  else
    redis.call('UNLINK', before, built)
    if redis.call('TYPE', set).ok == 'set' then redis.call('RENAME', set, before) else redis.call('DEL', set) end
    if redis.call('EXISTS', new) == 1 then
      redis.call('RENAME', new, set)
      redis.call('PERSIST', set)
    end
    redis.call('HSET', built, 'at', ARGV[2], 'server', current_server)
    if current_server == '' then redis.call('EXPIRE', built, 3600) end
    redis.call('HSET', build, 'phase', 'count', 'grown', redis.call('SCARD', set) - redis.call('SCARD', before))
    extend()
  end
end
return state()
`;

// Counts members of the old set that are missing from the new one, except those removed by a change since.
const countScript = `
if is_at('count') then
  local members = redis.call('SPOP', before, 1000)
  if #members > 0 then
    local dropped = 0
    local is_member = redis.call('SMISMEMBER', set, unpack(members))
    local was_changed = redis.call('SMISMEMBER', changed, unpack(members))
    for index = 1, #members do
      if is_member[index] == 0 and was_changed[index] == 0 then dropped = dropped + 1 end
    end
    redis.call('HINCRBY', build, 'dropped', dropped)
    extend()
  end
  if redis.call('EXISTS', before) == 0 then
    redis.call('HSET', built, 'numbers', get('numbers'), 'read', get('read'), 'added', get('grown') + get('dropped'),
      'dropped', get('dropped'))
    redis.call('UNLINK', build, changed)
  end
end
return state()
`;
