import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { readEpoch } from "../../../lib/permissions/read-epoch.ts";
import { withRedis } from "../../../lib/redis.ts";
import { epochKey, markDrained, readClock } from "../../../supabase/functions/_shared/permission-epochs.ts";
import { startRedisCluster } from "../../support/redis-cluster.ts";

let cluster: Awaited<ReturnType<typeof startRedisCluster>>;
beforeAll(async () => {
  cluster = await startRedisCluster();
  await grantAccess();
  process.env.REDIS_URL = cluster.url.replace("//", "//restricted:right@");
}, 60_000);
afterAll(async () => {
  await withRedis(async (redis) => redis.disconnect());
  await cluster?.close();
});

async function grantAccess() {
  for (const { control } of cluster.nodes) {
    await control.call("ACL", "SETUSER", "restricted", "on", ">right", "~*", "&*", "+@all", "-@dangerous");
  }
}

test("keeps epochs in a cluster without a run ID while nothing happens, and renews them when a node is restored from a dump", async () => {
  const userIds = Array.from({ length: 60 }, () => crypto.randomUUID());
  const read = () => Promise.all(userIds.map(readEpoch));
  const renewLease = async () => withRedis(async (redis) => markDrained(redis, await readClock(redis)));
  const epochOf = (reply: string | null | undefined) => reply?.split("@")[0];
  const connectionsOf = (answers: (string | null)[]) => new Set(answers.map((answer) => answer?.split("@")[1]));
  const untilRead = () =>
    vi.waitFor(
      async () => {
        await renewLease();
        const answers = await read();
        expect(answers).not.toContain(null);
        expect(connectionsOf(answers).size).toBe(1); // two while one of them reconnects
        return answers;
      },
      { timeout: 20_000, interval: 50 },
    );

  const before = await untilRead();
  for (let again = 0; again < 20; again++) expect(await untilRead()).toEqual(before);

  for (const node of cluster.nodes) {
    const old = await untilRead();
    await node.control.save();
    await node.server.restart();
    await grantAccess();
    await cluster.untilReady();
    const after = await untilRead();
    expect(after.map(epochOf)).toEqual(old.map(epochOf)); // the old state is back
    expect(await withRedis((redis) => redis.get(epochKey(userIds[0] ?? "")))).toBe(epochOf(after[0]));
    for (const [index, epoch] of after.entries()) expect(epoch).not.toBe(old[index]);
  }
}, 120_000);
