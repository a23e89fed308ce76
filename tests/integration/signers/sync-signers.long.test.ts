import fc from "fast-check";
import { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { startRedis } from "../../../harness/redis-server.ts";
import {
  type RebuildSteps,
  rebuildSigners,
  type SetStore,
} from "../../../supabase/functions/_shared/rebuild-signers.ts";
import {
  applySignerChange,
  signersBuiltKey,
  signersKey,
  signersRunKey,
  signersSyncKey,
} from "../../../supabase/functions/_shared/signers.ts";
import { type SyncSteps, syncSigners } from "../../../supabase/functions/_shared/sync-signers.ts";
import { inDrill } from "../../support/in-drill.ts";
import { seedOfTheDay as seed } from "../../support/seed-of-the-day.ts";
import { applyLineChange, changeLine, compareSigners, syncSteps } from "../../support/signer-world.ts";
import { openSqlSession } from "../../support/sql-session.ts";
import { openTestDatabase, type TestDatabase } from "../../support/test-database.ts";

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startRedis>>;
let redis: Redis;
let steps: SyncSteps;

const connect = () => {
  const client = new Redis(server.url, { maxRetriesPerRequest: 0, retryStrategy: () => null });
  client.on("error", () => undefined); // reported by the command that fails
  return client;
};

beforeAll(async () => {
  [database, server] = await Promise.all([openTestDatabase(), startRedis()]);
  redis = connect();
  steps = syncSteps(async (name, body) => {
    const { status, body: answered } = await database.rest(`rpc/${name}`, { as: "service", body });
    if (status >= 300) throw new Error(`${name}: ${JSON.stringify(answered)}`);
    return answered;
  }, redis);
  await database.sql("insert into public.teams (id, name) values ('north', 'North')");
  await database.sql(
    "insert into public.campaigns (id, name, team_id) values ('one', 'One', 'north'), ('two', 'Two', 'north')",
  );
});
afterAll(async () => {
  redis?.disconnect();
  await Promise.all([server?.close(), database?.close()]);
});
beforeEach(async () => {
  await redis.flushall();
  await empty();
});

async function empty() {
  await database.sql("delete from public.lines");
  await database.sql("delete from public.signer_changes");
}

const add = (voterId: string, campaignId = "one") => changeLine(database.sql, { campaignId, voterId, member: true });
const remove = (voterId: string, campaignId = "one") =>
  changeLine(database.sql, { campaignId, voterId, member: false });
const carryOutNow = async (change: Awaited<ReturnType<typeof add>>) => {
  if (change) await applyLineChange(redis, database.sql, change);
};
const addAll = async (...voterIds: string[]) => {
  for (const voterId of voterIds) await carryOutNow(await add(voterId));
};
const members = async (campaignId = "one") => (await redis.smembers(signersKey(campaignId))).toSorted();
// To the end, or until another run replaces it.
const rebuild = async (using: RebuildSteps) => {
  const built = await rebuildSigners(using, { campaignId: "one", numbers: [1] }, () => true);
  return built && { read: built.read, added: built.added, dropped: built.dropped };
};
const nothing = { campaigns: 0, changes: 0 };
const done = (campaigns: object[], changes: number) => ({ campaigns, changes, left: nothing });
const idle = done([], 0);
const counts = (campaignId: string, read: number, added: number, dropped: number) => ({
  campaignId,
  read,
  added,
  dropped,
});
const pendingChanges = () => database.sql("select voter_id from public.signer_changes order by id");
const temporary = () => redis.keys("*:sync:*");

describe("a rebuild", () => {
  test("fills the set from live lines, counts what it read, added and dropped, and leaves nothing behind", async () => {
    for (const voterId of ["a", "b", "c"]) await add(voterId);
    await add("d");
    await remove("d");
    await add("z", "two");
    await redis.sadd(signersKey("one"), "b", "d", "stranger");
    expect(await syncSigners(steps, { campaignId: "one" })).toEqual({
      ...done([counts("one", 3, 2, 2)], 6),
      requestNumber: expect.any(Number),
    });
    expect(await members()).toEqual(["a", "b", "c"]);
    expect(await redis.ttl(signersKey("one"))).toBe(-1);
    expect(await temporary()).toEqual([]);
    expect(await redis.exists(signersRunKey("one"))).toBe(0);
    expect(await redis.ttl(signersBuiltKey("one"))).toBe(-1);
    expect(await pendingChanges()).toEqual([]);
    expect(await syncSigners(steps, { campaignId: "one" })).toEqual({
      ...done([counts("one", 3, 0, 0)], 0),
      requestNumber: expect.any(Number),
    });
  });

  test("of all campaigns builds each set, and deletes those without lines", async () => {
    await add("a", "two");
    await redis.sadd(signersKey("one"), "stranger");
    expect(await syncSigners(steps, { all: true })).toEqual(done([counts("one", 0, 0, 1), counts("two", 1, 1, 0)], 1));
    expect(await redis.exists(signersKey("one"))).toBe(0);
    expect(await members("two")).toEqual(["a"]);
  });

  test("reads more voters than REST returns at once, in pages, and counts each once", async () => {
    // A page has 2,000, and the old members are read by 1,000.
    await database.sql(
      "insert into public.lines (team_id, campaign_id, verdict, voter_id) select 'north', 'one', 'accepted', 'v' || n from generate_series(1, 2500) n",
    );
    await redis.sadd(signersKey("one"), ...Array.from({ length: 1_500 }, (_, index) => `v${index + 2_001}`));
    expect(await rebuild(steps)).toEqual({ read: 2_500, added: 2_000, dropped: 1_000 });
    const { set, table } = await compareSigners(redis, database.sql, "one");
    expect(set).toEqual(table);
  });

  test("replaces keys of a wrong type, of the set and of the run", async () => {
    await add("a");
    const others = (["new", "changed", "before"] as const).map((what) => signersSyncKey("one", what));
    for (const key of [signersKey("one"), signersBuiltKey("one"), signersRunKey("one"), ...others]) {
      await redis.set(key, "no set");
    }
    expect(await rebuild(steps)).toEqual({ read: 1, added: 1, dropped: 0 });
    expect(await members()).toEqual(["a"]);
    expect(await temporary()).toEqual([]);
  });
});

test("a pending change is deleted only after the set has its change", async () => {
  await add("a");
  const atForgetting: string[][] = [];
  const watched = gated(steps, async (step) => {
    if (["deleteRequests", "deletePending"].includes(step)) atForgetting.push(await members());
  });
  await syncSigners(watched, { campaignId: "one" });
  await add("b");
  await remove("a");
  await syncSigners(watched, {});
  expect(atForgetting.slice(0, 2)).toEqual([["a"], ["a"]]);
  expect(atForgetting.at(-1)).toEqual(["b"]);

  await add("c");
  const withoutStore = { ...steps, withStore: () => Promise.reject(new Error("Redis is unreachable.")) };
  await expect(syncSigners(withoutStore, {})).rejects.toThrow("Redis is unreachable.");
  expect(await pendingChanges()).toEqual([{ voter_id: "c" }]);
  await syncSigners(steps, {});
  expect([await members(), await pendingChanges()]).toEqual([["b", "c"], []]);
});

test("a set that can't be built doesn't hold up other sets and changes, and its error is thrown", async () => {
  await add("a");
  await add("z", "two");
  const broken = {
    ...steps,
    table: {
      ...steps.table,
      count: (campaignId: string) =>
        campaignId === "one" ? Promise.reject(new Error("No table.")) : steps.table.count(campaignId),
    },
  };
  await expect(syncSigners(broken, { all: true })).rejects.toThrow("No table.");
  expect([await members(), await members("two")]).toEqual([["a"], ["z"]]);
  expect(await pendingChanges()).toEqual([{ voter_id: null }]); // still requests the set
  expect(await redis.exists(signersBuiltKey("one"))).toBe(0);
  expect(await redis.exists(signersBuiltKey("two"))).toBe(1);
});

test("after the database was restored or created again, its changes aren't taken for old ones", async () => {
  await carryOutNow(await add("b"));
  await carryOutNow(await add("a"));
  await carryOutNow(await remove("a"));
  for (const scope of [{ all: true }, { campaignId: "one" }]) {
    await database.sql("select setval('private.signature_changes', 1)");
    await syncSigners(steps, scope);
    await carryOutNow(await add("a"));
    expect(await members()).toEqual(["a", "b"]);
    await carryOutNow(await remove("a"));
    expect(await members()).toEqual(["b"]);
  }
});

describe("the schedule's call", () => {
  test("builds missing sets, then applies pending changes without reading complete sets", async () => {
    await add("a");
    expect(await syncSigners(steps, {})).toEqual(done([counts("one", 1, 1, 0), counts("two", 0, 0, 0)], 1));
    await add("b");
    await remove("a");
    await redis.sadd(signersKey("one"), "stranger"); // not noticed
    expect(await syncSigners(steps, {})).toEqual(done([], 2));
    expect(await members()).toEqual(["b", "stranger"]);
    expect(await syncSigners(steps, {})).toEqual(idle);
  });

  test.each<[what: string, harm: () => Promise<unknown>]>([
    ["Redis was flushed", () => redis.flushall()],
    ["only its set is gone", () => redis.del(signersKey("one"))],
    ["its set has a wrong type", () => redis.set(signersKey("one"), "no set")],
    ["it was built in another run of Redis", () => redis.hset(signersBuiltKey("one"), "server", "another")],
    ["its mark is invalid", () => redis.set(signersBuiltKey("one"), "1")],
  ])("rebuilds a set when %s", async (_, harm) => {
    await add("a");
    await syncSigners(steps, {});
    await harm();
    const result = await syncSigners(steps, {});
    expect(result?.campaigns.find(({ campaignId }) => campaignId === "one")).toMatchObject({ read: 1 });
    expect(await members()).toEqual(["a"]);
    expect(await syncSigners(steps, {})).toEqual(idle);
  });

  test("builds a set once and again each hour when it can't read the run id of Redis", async () => {
    await redis.call("ACL", "SETUSER", "narrow", "on", ">right", "~*", "&*", "+@all", "-@dangerous");
    const narrow = new Redis(server.url, { username: "narrow", password: "right", enableReadyCheck: false });
    try {
      const narrowSteps: SyncSteps = { ...steps, withStore: (run) => run(narrow) };
      await add("a");
      expect((await syncSigners(narrowSteps, {}))?.campaigns).toHaveLength(2);
      expect(await syncSigners(narrowSteps, {})).toEqual(idle);
      expect(await members()).toEqual(["a"]);
      expect(await redis.ttl(signersBuiltKey("one"))).toSatisfy((left: number) => left > 3_590 && left <= 3_600);
      await redis.pexpire(signersBuiltKey("one"), 1); // the hour has passed
      await vi.waitFor(async () => expect(await redis.exists(signersBuiltKey("one"))).toBe(0));
      expect((await syncSigners(narrowSteps, {}))?.campaigns).toMatchObject([{ campaignId: "one", read: 1 }]);
    } finally {
      narrow.disconnect();
    }
  });

  test("removes deleted and truncated rows from the set", async () => {
    await addAll("a", "b");
    await syncSigners(steps, {});
    await database.sql("delete from public.lines where voter_id = 'a'");
    expect(await syncSigners(steps, {})).toEqual(done([], 1));
    expect(await members()).toEqual(["b"]);
    await database.sql("truncate public.lines");
    expect(await syncSigners(steps, {})).toEqual(done([counts("one", 0, 0, 1)], 0));
    expect(await members()).toEqual([]);
  });
});

describe("what happens during a rebuild", () => {
  // Runs something once, before the first step of the store or the table that the filter accepts.
  function interrupted(isStep: (step: string) => boolean, run: () => Promise<unknown>): SyncSteps {
    let done = false;
    return gated(steps, async (step) => {
      if (done || !isStep(step)) return;
      done = true;
      await run();
    });
  }
  const beforeSwap = (step: string) => step.includes("redis.call('RENAME'");

  test.each([
    ["before the first page is read", (step: string) => step === "page"],
    ["after it was read", (step: string) => step.includes("unpack(unchanged)")],
    ["right before the swap", beforeSwap],
    ["right after the swap", (step: string) => step.includes("'SPOP'")],
  ])("keeps, without counting, adds and removes that were applied %s", async (_, when) => {
    await addAll("a", "b");
    const during = interrupted(when, async () => {
      await carryOutNow(await add("new"));
      await carryOutNow(await remove("a"));
    });
    expect(await rebuild(during)).toMatchObject({ added: 0, dropped: 0 });
    expect(await members()).toEqual(["b", "new"]);
    expect(await pendingChanges()).toEqual([]);
  });

  test("corrects a wrong set at the swap, including voters changed during the rebuild", async () => {
    await addAll("a", "b", "c");
    await redis.srem(signersKey("one"), "b", "c");
    await redis.sadd(signersKey("one"), "stranger");
    const during = interrupted(beforeSwap, async () => carryOutNow(await remove("c")));
    expect(await rebuild(during)).toEqual({ read: 3, added: 1, dropped: 1 });
    expect(await members()).toEqual(["a", "b"]);
  });

  test.each([
    ["flushed", () => redis.flushall()],
    ["continued by a Redis that came back from a dump", () => redis.hset(signersRunKey("one"), "server", "another")],
    ["missing a member of the new set", () => redis.srem(signersSyncKey("one", "new"), "a")],
    [
      "missing the changed voters",
      async () => {
        await carryOutNow(await add("c"));
        await redis.del(signersSyncKey("one", "changed"));
      },
    ],
  ])("a run that is %s before the swap doesn't change the set", async (_, harm) => {
    for (const voterId of ["a", "b"]) await add(voterId);
    await redis.sadd(signersKey("one"), "old");
    expect(await rebuild(interrupted(beforeSwap, harm))).toBe(undefined);
    expect([[], ["old"], ["c", "old"]]).toContainEqual(await members());
    expect(await redis.exists(signersBuiltKey("one"))).toBe(0);
    expect(await syncSigners(steps, {})).toMatchObject({ left: nothing });
    expect((await compareSigners(redis, database.sql, "one")).set).toEqual(expect.arrayContaining(["a", "b"]));
    expect(await members()).not.toContain("old");
  });

  test("a page read for one run isn't added to another one", async () => {
    await addAll("a", "b");
    const during = interrupted(
      (step) => step.includes("unpack(unchanged)"),
      async () => {
        await carryOutNow(await remove("b"));
        let begun = 0;
        await rebuildSigners(steps, { campaignId: "one", numbers: [2] }, () => ++begun === 1);
      },
    );
    expect(await rebuild(during)).toBe(undefined); // the other run continues
    expect(await members()).toEqual(["a"]);
    expect(await redis.exists(signersBuiltKey("one"))).toBe(1);
  });

  test("a failure before the swap leaves the old set and its mark, and the next call continues", async () => {
    await add("a");
    await syncSigners(steps, {});
    await add("b");
    await redis.srem(signersKey("one"), "a");
    const fail = () => Promise.reject(new Error("unreachable"));
    await expect(syncSigners(interrupted(beforeSwap, fail), { campaignId: "one" })).rejects.toThrow("unreachable");
    expect(await members()).toEqual(["b"]); // by its pending change
    expect(await redis.exists(signersBuiltKey("one"))).toBe(1);
    const reading = interrupted((step) => step === "page", fail); // all pages are read already
    expect(await syncSigners(reading, {})).toMatchObject({ campaigns: [{ read: 2 }], left: nothing });
    expect(await members()).toEqual(["a", "b"]);
  });

  test("the keys of an abandoned run expire", async () => {
    for (const voterId of ["a", "b"]) await add(voterId);
    const dying = interrupted(beforeSwap, async () => {
      await carryOutNow(await add("c"));
      throw new Error("gone");
    });
    await expect(rebuild(dying)).rejects.toThrow("gone");
    const left = [...(await temporary()), signersRunKey("one")];
    expect(left).toHaveLength(3);
    for (const key of left) {
      expect(await redis.pttl(key)).toSatisfy((ms: number) => ms > 0 && ms <= 15 * 60_000);
    }
  });

  test("two calls at once build it together, and both report correct counts", async () => {
    for (const voterId of ["a", "b", "c"]) await add(voterId);
    const askUntilDone = async () => {
      let scope: { campaignId: string; requestNumber?: number } = { campaignId: "one" };
      for (;;) {
        const result = await syncSigners(steps, scope);
        if (result?.campaigns[0]) return result.campaigns[0].added;
        scope = {
          campaignId: "one",
          ...(result?.requestNumber !== undefined && { requestNumber: result.requestNumber }),
        };
      }
    };
    const added = await Promise.all([askUntilDone(), askUntilDone()]);
    expect(["0,3", "3,3", "0,0"]).toContain(added.toSorted().join());
    expect(await members()).toEqual(["a", "b", "c"]);
  });
});

describe("a call does a part of the work", () => {
  const small = () => ({ ...steps, pageSize: 2, maxSteps: 1 });
  const voters = ["a", "b", "c", "d", "e"];

  test("and the next ones continue while lines are entered, with the old set in use until the new one is complete", async () => {
    await addAll(...voters);
    await syncSigners(steps, {});
    await redis.srem(signersKey("one"), "e");
    let result = await syncSigners(small(), { campaignId: "one" });
    const { requestNumber } = result ?? {};
    let calls = 1;
    for (; (result?.campaigns.length ?? 0) === 0; calls++) {
      expect(result).toEqual({ campaigns: [], changes: 0, left: { campaigns: 1, changes: 0 }, requestNumber });
      const voterId = `new-${calls}`;
      await carryOutNow(await add(voterId));
      expect(await members()).toEqual(expect.arrayContaining(["a", "b", "c", "d", voterId]));
      result = await syncSigners(small(), { campaignId: "one", ...(requestNumber !== undefined && { requestNumber }) });
    }
    expect(result).toMatchObject({ campaigns: [{ campaignId: "one", added: 1, dropped: 0 }], left: nothing });
    expect(calls).toBeGreaterThan(4);
    const { set, table } = await compareSigners(redis, database.sql, "one");
    expect(set).toEqual(table);
    // The caller also gets the counts when the schedule has done the last part.
    expect(
      await syncSigners(small(), { campaignId: "one", ...(requestNumber !== undefined && { requestNumber }) }),
    ).toMatchObject({
      campaigns: [{ campaignId: "one", added: 1, dropped: 0 }],
    });
  });

  test("also of pending changes, and reports how many are left", async () => {
    await carryOutNow(await add("a"));
    await syncSigners(steps, {});
    await database.sql(
      "insert into public.signer_changes (campaign_id, voter_id, change_number) select 'one', 'v', n from generate_series(1, 5700) n",
    );
    expect(await syncSigners(steps, {})).toEqual({
      campaigns: [],
      changes: 5_000,
      left: { campaigns: 0, changes: 700 },
    });
    expect(await syncSigners(steps, {})).toEqual(done([], 700));
  });

  test("a run without a pending change, as from an older database, isn't continued", async () => {
    await addAll(...voters);
    await syncSigners(small(), { campaignId: "one" });
    await redis.hset(signersRunKey("one"), { numbers: "[1]", after: "d" });
    await database.sql("delete from public.signer_changes");
    expect(await syncSigners(steps, { campaignId: "one" })).toMatchObject({ campaigns: [{ read: 5 }] });
    expect(await members()).toEqual(voters);
  });
});

test("after Redis is killed during entry and a rebuild, one call makes set and table equal", async () => {
  await addAll("a", "b", "c");
  await syncSigners(steps, {});
  let requests = 0;
  const failing = gated(steps, async () => {
    requests += 1;
    if (requests === 6) await server.stop();
  });
  await expect(syncSigners(failing, { campaignId: "one" })).rejects.toThrow();
  const removed = await remove("a");
  await expect(carryOutNow(removed)).rejects.toThrow();
  await add("d");
  await server.restart();
  redis.disconnect();
  redis = connect();
  steps = { ...steps, withStore: (run) => run(redis) };
  await syncSigners(steps, {});
  expect(await members()).toEqual(["b", "c", "d"]);
  expect(await pendingChanges()).toEqual([]);
});

// ── Any interleaving ─────────────────────────────────────────────────────────────────────────────────────────────────

// The steps, each of which first waits for `before`, called with the step: a script of the store, or a function of the table.
function gated(plain: SyncSteps, before: (step: string) => Promise<void>): SyncSteps {
  const table =
    <Given extends unknown[], Result>(name: string, run: (...args: Given) => Promise<Result>) =>
    async (...args: Given) => {
      await before(name);
      return run(...args);
    };
  const store = (client: SetStore): SetStore => ({
    eval: async (script, ...args) => {
      await before(script);
      return client.eval(script, ...args);
    },
  });
  return {
    ...plain,
    withStore: (run) => plain.withStore((client) => run(store(client))),
    campaigns: table("campaigns", plain.campaigns),
    table: {
      count: table("count", plain.table.count),
      page: table("page", plain.table.page),
    },
    requestRebuilds: table("requestRebuilds", plain.requestRebuilds),
    listRequests: table("listRequests", plain.listRequests),
    deleteRequests: table("deleteRequests", plain.deleteRequests),
    readPending: table("readPending", plain.readPending),
    deletePending: table("deletePending", plain.deletePending),
  };
}

const voterId = fc.constantFrom("a", "b", "c");
const campaignId = fc.constantFrom("one", "one", "one", "two");
const action = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant("change" as const),
      campaignId,
      voterId,
      // What happens to the command: applied and its pending change deleted, only applied, delayed, or lost.
      command: fc.constantFrom("done", "done", "done", "unforgotten", "delayed", "lost"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete" as const), campaignId, voterId }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("deliver" as const), which: fc.nat(9) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("sync" as const),
      scope: fc.constantFrom({}, { campaignId: "one" }, { campaignId: "one" }, { all: true }),
    }),
  },
  { weight: 20, arbitrary: fc.record({ do: fc.constant("advance" as const), which: fc.nat(2), steps: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("fail" as const), which: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restart" as const) }) },
);

test("after any events in any order, one more call makes each set equal to the table", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 20, maxLength: 100, size: "max" }), async (actions) => {
      await redis.flushall();
      await empty();
      const delayed: (() => Promise<unknown>)[] = [];
      const waiting: { go(): void; fail(): void; over: Promise<void> }[] = [];
      const running: Promise<unknown>[] = [];
      let open = false;
      const stepwise = gated({ ...steps, pageSize: 2, maxSteps: 2 }, () => {
        if (open) return Promise.resolve();
        const gate = Promise.withResolvers<void>();
        const passed = Promise.withResolvers<void>();
        waiting.push({
          go: () => gate.resolve(),
          fail: () => gate.reject(new Error("broken")),
          over: passed.promise,
        });
        return gate.promise.finally(passed.resolve);
      });
      // Lets one step run, until its run waits at the next one or ends.
      const release = async (which: number, how: "go" | "fail") => {
        const [step] = waiting.splice(which % Math.max(waiting.length, 1), 1);
        if (!step) return;
        const before = waiting.length;
        step[how]();
        await step.over;
        const settled = performance.now() + 30;
        while (waiting.length === before && performance.now() < settled) await new Promise(setImmediate);
      };

      for (const step of actions) {
        switch (step.do) {
          case "change": {
            const pair = { campaignId: step.campaignId, voterId: step.voterId };
            const change =
              (await changeLine(database.sql, { ...pair, member: true })) ??
              (await changeLine(database.sql, { ...pair, member: false }));
            if (!change) throw new Error("Neither added nor removed.");
            if (step.command === "done") await applyLineChange(redis, database.sql, change);
            if (step.command === "unforgotten") await applySignerChange(redis, change);
            if (step.command === "delayed") delayed.push(() => applySignerChange(redis, change));
            break;
          }
          case "delete":
            await database.sql("delete from public.lines where campaign_id = $1 and voter_id = $2", [
              step.campaignId,
              step.voterId,
            ]);
            break;
          case "deliver": {
            const [command] = delayed.splice(step.which % Math.max(delayed.length, 1), 1);
            await command?.();
            break;
          }
          case "sync":
            if (running.length < 4) running.push(syncSigners(stepwise, step.scope).catch(() => undefined));
            break;
          case "advance":
            for (let count = 0; count <= step.steps; count++) await release(step.which, "go");
            break;
          case "fail":
            await release(step.which, "fail");
            break;
          case "restart": // empty; commands on old connections are lost
            delayed.length = 0;
            await redis.flushall();
            break;
        }
      }
      open = true;
      for (const step of waiting) step.go();
      await Promise.all(running);
      for (const command of delayed) await command();
      expect(await syncSigners(steps, {})).toMatchObject({ left: nothing });
      for (const campaign of ["one", "two"]) {
        const { set, table } = await compareSigners(redis, database.sql, campaign);
        expect(set).toEqual(table);
      }
      expect(await pendingChanges()).toEqual([]);
    }),
    { numRuns: inDrill(25, { else: 4 }), seed },
  );
}, 300_000);

// ── Transactions that overlap ────────────────────────────────────────────────────────────────────────────────────────

test("a change whose transaction begins first and commits last isn't lost", async () => {
  const slow = await openSqlSession(database);
  try {
    await slow.sql("begin");
    await changeLine(slow.sql, { campaignId: "one", voterId: "late", member: true });
    const early = await add("early");
    expect(await syncSigners(steps, {})).toMatchObject({ campaigns: [{ read: 1 }, { read: 0 }], changes: 1 });
    expect(await members()).toEqual(["early"]);
    await slow.sql("commit");
    expect(await syncSigners(steps, {})).toEqual(done([], 1));
    expect(await members()).toEqual(["early", "late"]);

    // Committed, applied and forgotten while a rebuild that hasn't read it swaps its set in.
    await slow.sql("begin");
    const removed = await changeLine(slow.sql, { campaignId: "one", voterId: "late", member: false });
    if (!early || !removed) throw new Error("Neither added nor removed.");
    expect(removed.changeNumber).toBeGreaterThan(early.changeNumber);
    let committed = false;
    const during = gated(steps, async (step) => {
      if (committed || !step.includes("'RENAME'")) return;
      committed = true;
      await slow.sql("commit");
      await applyLineChange(redis, database.sql, removed);
    });
    expect(await rebuild(during)).toEqual({ read: 2, added: 0, dropped: 0 });
    expect(await members()).toEqual(["early"]);
  } finally {
    await slow.close();
  }
});
