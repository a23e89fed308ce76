import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { checkSigners, hasSigner } from "../../../lib/signers/has-signers.ts";
import { addSigner, removeSigner } from "../../../lib/signers/signers.ts";
import {
  applySignerChange,
  signerChangeKey,
  signersBuiltKey,
  signersKey,
  signersRunKey,
  signersSyncKey,
} from "../../../supabase/functions/_shared/signers.ts";
import { setUpRedis } from "../../support/redis.ts";

const { server, redis } = await setUpRedis();
process.env.REDIS_URL = server.url;
beforeEach(() => redis.flushall());

const campaignId = "clean-water";
const set = "campaign:clean-water:signers";

test("the set has the name of contract 4.4, and its helper keys share its cluster slot", () => {
  expect(signersKey(campaignId)).toBe(set);
  expect(signerChangeKey(campaignId, "v}1")).toBe(`{${set}}:change:v}1`);
  expect(signersBuiltKey(campaignId)).toBe(`{${set}}:built`);
  expect(signersSyncKey(campaignId, "new")).toBe(`{${set}}:sync:new`);
  expect(signersRunKey(campaignId)).toBe(`{${set}}:run`);
});

describe("one change", () => {
  const apply = (member: boolean, changeNumber: number) =>
    applySignerChange(redis, { campaignId, voterId: "v1", member, changeNumber });

  test("returns whether the set has changed, and ignores a change that isn't newer", async () => {
    expect(await apply(true, 5)).toBe(1);
    expect(await apply(true, 5)).toBe("superseded");
    expect(await apply(false, 4)).toBe("superseded");
    expect([await redis.smembers(set), await redis.ttl(set)]).toEqual([["v1"], -1]);
    expect(await apply(true, 6)).toBe(0);
    expect(await apply(false, 7)).toBe(1);
    expect(await apply(false, 8)).toBe(0);
    expect(await apply(true, 7)).toBe("superseded");
    expect(await redis.smembers(set)).toEqual([]);
    const number = signerChangeKey(campaignId, "v1");
    expect(await redis.get(number)).toBe("8");
    expect(await redis.ttl(number)).toSatisfy((left: number) => left > 3_590 && left <= 3_600);
  });

  test("compares numbers as numbers, up to 2^53", async () => {
    expect(await apply(true, 9)).toBe(1);
    expect(await apply(false, 10)).toBe(1);
    expect(await apply(true, 2 ** 53 - 2)).toBe(1);
    expect(await apply(false, 2 ** 53 - 1)).toBe(1);
    expect(await apply(true, 2 ** 53 - 2)).toBe("superseded");
  });

  test("keeps the number when Redis refuses, so that the same change can be applied later", async () => {
    await redis.set(set, "no set");
    await expect(apply(true, 1)).rejects.toThrow(/WRONGTYPE/);
    await redis.del(set);
    await redis.config("SET", "maxmemory-policy", "noeviction");
    await redis.config("SET", "maxmemory", "1");
    await expect(apply(true, 1)).rejects.toThrow(/OOM/);
    expect(await redis.keys("*")).toEqual([]);
    await redis.config("SET", "maxmemory", "0");
    expect(await apply(true, 1)).toBe(1);
    // Even when Redis is full, a signer can be removed, and the number is kept.
    await redis.config("SET", "maxmemory", "1");
    const applied = await apply(false, 2);
    await redis.config("SET", "maxmemory", "0");
    expect([applied, await apply(true, 1)]).toEqual([1, "superseded"]);
  });
});

test("the newest change wins, in whatever order and however often changes arrive", async () => {
  const changes = fc
    .array(fc.record({ voterId: fc.constantFrom("v1", "v2", "__proto__"), member: fc.boolean() }), { minLength: 1 })
    .map((list) => list.map((change, index) => ({ ...change, campaignId, changeNumber: index + 1 })));
  const deliveries = changes.chain((list) =>
    fc.tuple(fc.constant(list), fc.array(fc.constantFrom(...list)), fc.infiniteStream(fc.nat())),
  );
  await fc.assert(
    fc.asyncProperty(deliveries, async ([list, repeated, keys]) => {
      await redis.flushall();
      const order = [...list, ...repeated]
        .map((change) => ({ change, key: keys.next().value ?? 0 }))
        .toSorted((a, b) => a.key - b.key);
      await Promise.all(order.map(({ change }) => applySignerChange(redis, change)));
      const last = new Map(list.map(({ voterId, member }) => [voterId, member]));
      const members = [...last].filter(([, member]) => member).map(([voterId]) => voterId);
      expect((await redis.smembers(set)).toSorted()).toEqual(members.toSorted());
    }),
    { numRuns: 50 },
  );
});

test("agrees with a model after random changes, and always returns booleans", async () => {
  const voterId = fc.oneof(
    fc.constantFrom("v1", "v2", "V1", "1", "01", "1e0", "true", "null", "__proto__", "constructor", "a,b", "{x}", "*"),
    fc.stringMatching(/^[\x21-\x7E]{1,64}$/),
  );
  const step = fc.record({ campaignId: fc.constantFrom("one", "two"), voterId, add: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(step), fc.array(voterId), async (steps, others) => {
      await redis.flushall();
      const model = new Map(["one", "two"].map((id) => [id, new Set<string>()]));
      for (const [index, { campaignId, voterId, add }] of steps.entries()) {
        const members = model.get(campaignId) ?? new Set();
        const change = { campaignId, voterId, changeNumber: index };
        if (add) expect(await addSigner(change)).toBe(members.has(voterId) ? "present" : "added");
        else expect(await removeSigner(change)).toBe(members.delete(voterId) ? "removed" : "absent");
        if (add) members.add(voterId);
      }
      const voterIds = [...new Set([...steps.map(({ voterId }) => voterId), ...others])];
      for (const [campaignId, members] of model) {
        expect(await checkSigners({ campaignId, voterIds })).toEqual(
          new Map(voterIds.map((voterId) => [voterId, members.has(voterId)])),
        );
        for (const voterId of voterIds) expect(await hasSigner({ campaignId, voterId })).toBe(members.has(voterId));
      }
    }),
    { numRuns: 40 },
  );
});

test("reports superseded changes of both functions, and doesn't call Redis for no voters", async () => {
  await addSigner({ campaignId, voterId: "v1", changeNumber: 2 });
  expect(await addSigner({ campaignId, voterId: "v1", changeNumber: 2 })).toBe("superseded");
  expect(await removeSigner({ campaignId, voterId: "v1", changeNumber: 1 })).toBe("superseded");
  expect(await checkSigners({ campaignId, voterIds: [] })).toEqual(new Map());
});
