/** What is needed of a Redis client; ioredis has it for a server and for a cluster, in Node and in Deno. */
type RedisClient = { eval(script: string, numberOfKeys: number, ...keysAndArguments: string[]): Promise<unknown> };

/** The Redis set of the voters who have signed a campaign (contract 4.4). */
export function signersKey(campaignId: string) {
  return `campaign:${campaignId}:signers`;
}

/** The number of the change that was last applied for a voter. In braces is what puts it into the cluster slot of the set. */
export function signerChangeKey(campaignId: string, voterId: string) {
  return `{${signersKey(campaignId)}}:change:${voterId}`;
}

/** Present while the set holds all signers: missing after a flush, and in a Redis that came back empty. */
export function signersBuiltKey(campaignId: string) {
  return `{${signersKey(campaignId)}}:built`;
}

/** The set that one run of the synchronisation builds, in the cluster slot of the set that it will become. */
export function signersSyncKey(campaignId: string, run: string) {
  return `{${signersKey(campaignId)}}:sync:${run}`;
}

/** The run of the synchronisation that owns the set now, with how far it is. Gone when it ended, or gave no sign for a while. */
export function signersRunKey(campaignId: string) {
  return `{${signersKey(campaignId)}}:run`;
}

const remembered = 3_600; // seconds; a command that was delayed for longer does not exist

// The set comes first: what Redis refuses for want of memory, or for a wrong type, leaves the number as it was.
const script = `
local last = tonumber(redis.call('GET', KEYS[2]) or '-1')
if last >= tonumber(ARGV[2]) then return -1 end
local changed = redis.call(ARGV[1], KEYS[1], ARGV[3])
redis.call('SET', KEYS[2], ARGV[2], 'EX', ARGV[4])
return changed
`;

/**
 * Applies one change of a voter's line to the set: a member or not, from the change with this number on. Changes may
 * arrive late and in any order: one that is not newer than the last does nothing and answers `superseded`. Else it
 * answers as SADD and SREM do: 1 when the set has changed, 0 when it was so already.
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
  const keys = [signersKey(campaignId), signerChangeKey(campaignId, voterId)];
  const command = member ? "SADD" : "SREM";
  const reply = await redis.eval(script, 2, ...keys, command, String(changeNumber), voterId, String(remembered));
  if (reply === 1 || reply === 0) return reply;
  if (reply === -1) return "superseded";
  throw new Error(`Redis answered ${String(reply)} to a change of a signer.`);
}
