/** The used part of ioredis, which is the same for a server and a cluster, in Node and in Deno. */
type RedisClient = { eval(script: string, numberOfKeys: number, ...keysAndArguments: string[]): Promise<unknown> };

/** The Redis set of the voters who have signed a campaign (contract 4.4). */
export function signersKey(campaignId: string) {
  return `campaign:${campaignId}:signers`;
}

/** The number of the change that was last applied for a voter. The braces put the key into the cluster slot of the set. */
export function signerChangeKey(campaignId: string, voterId: string) {
  return `{${signersKey(campaignId)}}:change:${voterId}`;
}

/** Present while the set has all signers: missing after a flush, and in a Redis that lost its data. */
export function signersBuiltKey(campaignId: string) {
  return `{${signersKey(campaignId)}}:built`;
}

/**
 * The keys of a rebuild, in the set's cluster slot. `changed` has the voters whose lines have changed since it began, `before`
 * the old set after the swap.
 */
export function signersSyncKey(campaignId: string, part: "new" | "changed" | "before") {
  return `{${signersKey(campaignId)}}:sync:${part}`;
}

/** The current rebuild and its progress. Deleted when it ends, expires when it is abandoned. */
export function signersRunKey(campaignId: string) {
  return `{${signersKey(campaignId)}}:run`;
}

const rememberedSeconds = 3_600; // no command is delayed for longer

// Writes the number last, so a change that Redis refuses (out of memory, wrong type) leaves it unchanged. During a rebuild
// the change is also applied to the new set and both are counted, see `rebuildSigners`.
const script = `
local set, change, run, new, changed = unpack(KEYS)
local last_number = tonumber(redis.call('GET', change) or '-1')
if last_number >= tonumber(ARGV[2]) then return -1 end
local phase = redis.call('HGET', run, 'phase')
if phase then
  local remaining_ms = redis.call('PTTL', run)
  redis.call('HINCRBY', run, 'changes', redis.call('SADD', changed, ARGV[3]))
  redis.call('PEXPIRE', changed, remaining_ms)
  if phase ~= 'count' then
    local built = redis.call(ARGV[1], new, ARGV[3])
    redis.call('HINCRBY', run, 'built', ARGV[1] == 'SADD' and built or 0 - built) -- Redis rejects -0
    redis.call('PEXPIRE', new, remaining_ms)
  end
end
local result = redis.call(ARGV[1], set, ARGV[3])
redis.call('SET', change, ARGV[2], 'EX', ARGV[4])
return result
`;

/**
 * Adds a voter to the set or removes them, as of the change with this number. Changes may arrive late and in any order: one
 * that isn't newer than the last does nothing and returns `superseded`. Otherwise it returns 1 if the set has changed, 0 if
 * not.
 */
export async function applySignerChange(
  redis: RedisClient,
  {
    campaignId,
    voterId,
    member,
    changeNumber,
  }: { campaignId: string; voterId: string; member: boolean; changeNumber: number },
): Promise<1 | 0 | "superseded"> {
  const keys = [
    signersKey(campaignId),
    signerChangeKey(campaignId, voterId),
    signersRunKey(campaignId),
    signersSyncKey(campaignId, "new"),
    signersSyncKey(campaignId, "changed"),
  ];
  const command = member ? "SADD" : "SREM";
  const reply = await redis.eval(
    script,
    keys.length,
    ...keys,
    command,
    String(changeNumber),
    voterId,
    String(rememberedSeconds),
  );
  if (reply === 1 || reply === 0) return reply;
  if (reply === -1) return "superseded";
  throw new Error(`Redis returned ${String(reply)} for a change of a signer.`);
}
