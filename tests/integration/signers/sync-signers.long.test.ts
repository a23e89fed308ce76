import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { Redis } from "ioredis";
import postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "../../../scripts/local-stack/open-database.ts";
import { RunLost, rebuildSigners, type SetStore } from "../../../supabase/functions/_shared/rebuild-signers.ts";
import {
  applySignerChange,
  signerChangeKey,
  signersBuiltKey,
  signersKey,
  signersRunKey,
  signersSyncKey,
} from "../../../supabase/functions/_shared/signers.ts";
import { type SyncSteps, syncSigners } from "../../../supabase/functions/_shared/sync-signers.ts";
import { inDrill } from "../../support/in-drill.ts";
import { type PostgresServer, startPostgres } from "../../support/postgres-server.ts";
import { startRedis } from "../../support/redis-server.ts";
import { carryOut, changeLine, compareSigners, syncSteps } from "../../support/signer-world.ts";
import { openTestDatabase, type TestDatabase } from "../../support/test-database.ts";

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startRedis>>;
let redis: Redis;
let steps: SyncSteps;

const connect = () => {
  const client = new Redis(server.url, { maxRetriesPerRequest: 0, retryStrategy: () => null });
  client.on("error", () => undefined); // told by the command that fails
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
const members = async (campaignId = "one") => (await redis.smembers(signersKey(campaignId))).toSorted();
const notes = () => database.sql("select voter_id from public.signer_changes order by id");
const temporary = () => redis.keys("*:sync:*");

describe("a rebuild", () => {
  test("fills the set from live lines alone, counts what it read, added and dropped, and leaves nothing behind", async () => {
    for (const voterId of ["a", "b", "c"]) await add(voterId);
    await add("d");
    await remove("d");
    await add("z", "two");
    await redis.sadd(signersKey("one"), "b", "d", "stranger");
    expect(await syncSigners(steps, { campaignId: "one" })).toEqual({
      campaigns: [{ campaignId: "one", read: 3, added: 2, dropped: 2 }],
      notes: 6,
    });
    expect(await members()).toEqual(["a", "b", "c"]);
    expect(await redis.ttl(signersKey("one"))).toBe(-1);
    expect(await temporary()).toEqual([]);
    expect(await redis.exists(signersRunKey("one"))).toBe(0);
    expect(await redis.ttl(signersBuiltKey("one"))).toBe(-1);
    expect(await notes()).toEqual([]);
    expect(await syncSigners(steps, { campaignId: "one" })).toEqual({
      campaigns: [{ campaignId: "one", read: 3, added: 0, dropped: 0 }],
      notes: 0,
    });
  });

  test("of all campaigns builds each; without lines the set is gone", async () => {
    await add("a", "two");
    await redis.sadd(signersKey("one"), "stranger");
    expect(await syncSigners(steps, { all: true })).toEqual({
      campaigns: [
        { campaignId: "one", read: 0, added: 0, dropped: 1 },
        { campaignId: "two", read: 1, added: 1, dropped: 0 },
      ],
      notes: 1,
    });
    expect(await redis.exists(signersKey("one"))).toBe(0);
    expect(await members("two")).toEqual(["a"]);
  });

  test("reads more voters than REST gives rows, page after page, and counts each once", async () => {
    await database.sql(
      "insert into public.lines (team_id, campaign_id, verdict, voter_id) select 'north', 'one', 'accepted', 'v' || n from generate_series(1, 4500) n",
    );
    await redis.sadd(signersKey("one"), ...Array.from({ length: 3_000 }, (_, index) => `v${index + 4_001}`));
    expect(await rebuildSigners(steps, "one")).toEqual({ read: 4_500, added: 4_000, dropped: 2_500 });
    const { set, table } = await compareSigners(redis, database.sql, "one");
    expect(set).toEqual(table);
  });

  test("heals a set that is none", async () => {
    await add("a");
    await redis.set(signersKey("one"), "no set");
    expect(await rebuildSigners(steps, "one")).toEqual({ read: 1, added: 1, dropped: 0 });
    expect(await members()).toEqual(["a"]);
  });

  test("of a campaign that does not exist is none", async () => {
    await redis.sadd("campaign:other:signers", "a");
    expect(await syncSigners(steps, { campaignId: "other" })).toBe(null);
    expect(await redis.smembers("campaign:other:signers")).toEqual(["a"]);
  });
});

test("one set that cannot be built holds up neither the other sets nor the notes, and is told", async () => {
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
  expect(await notes()).toEqual([]);
  expect(await redis.exists(signersBuiltKey("one"))).toBe(0);
  expect(await redis.exists(signersBuiltKey("two"))).toBe(1);
});

test("after the database was restored, or made anew, changes are not taken for old ones", async () => {
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
  test("builds what was never built, then leaves complete sets alone and carries out notes", async () => {
    await add("a");
    expect(await syncSigners(steps, {})).toEqual({
      campaigns: [
        { campaignId: "one", read: 1, added: 1, dropped: 0 },
        { campaignId: "two", read: 0, added: 0, dropped: 0 },
      ],
      notes: 1,
    });
    await add("b");
    await remove("a");
    await redis.sadd(signersKey("one"), "stranger"); // is not looked for
    expect(await syncSigners(steps, {})).toEqual({ campaigns: [], notes: 2 });
    expect(await members()).toEqual(["b", "stranger"]);
    expect(await syncSigners(steps, {})).toEqual({ campaigns: [], notes: 0 });
  });

  test.each<[what: string, harm: () => Promise<unknown>]>([
    ["Redis was flushed", () => redis.flushall()],
    ["its set alone is gone", () => redis.del(signersKey("one"))],
    ["its set is no set any more", () => redis.set(signersKey("one"), "no set")],
    ["it was built in another run of Redis", () => redis.hset(signersBuiltKey("one"), "server", "another")],
    ["its mark is no mark", () => redis.set(signersBuiltKey("one"), "1")],
  ])("builds a set anew when %s", async (_, harm) => {
    await add("a");
    await syncSigners(steps, {});
    await harm();
    const result = await syncSigners(steps, {});
    expect(result?.campaigns.find(({ campaignId }) => campaignId === "one")).toMatchObject({ read: 1 });
    expect(await members()).toEqual(["a"]);
    expect(await syncSigners(steps, {})).toEqual({ campaigns: [], notes: 0 });
  });

  test("rows that were deleted or truncated leave the set", async () => {
    for (const voterId of ["a", "b"]) await carryOutNow(await add(voterId));
    await syncSigners(steps, {});
    await database.sql("delete from public.lines where voter_id = 'a'");
    expect(await syncSigners(steps, {})).toEqual({ campaigns: [], notes: 1 });
    expect(await members()).toEqual(["b"]);
    await database.sql("truncate public.lines");
    expect(await syncSigners(steps, {})).toEqual({
      campaigns: [{ campaignId: "one", read: 0, added: 0, dropped: 1 }],
      notes: 1,
    });
    expect(await members()).toEqual([]);
  });

  test("leaves a set that another run builds to that run", async () => {
    await redis.hset(signersRunKey("one"), "run", "another");
    expect(await syncSigners(steps, {})).toMatchObject({ campaigns: [{ campaignId: "two" }] });
    expect(await redis.hgetall(signersRunKey("one"))).toEqual({ run: "another" });
    await expect(rebuildSigners(steps, "one")).rejects.toThrow(RunLost);
    expect(await redis.hgetall(signersRunKey("one"))).toEqual({ run: "another" });
  });
});

const carryOutNow = async (change: Awaited<ReturnType<typeof add>>) => {
  if (change) await carryOut(redis, database.sql, change);
};

describe("what happens during a rebuild", () => {
  // Runs something before one of the store's or the table's steps, the first one that the filter accepts.
  function interrupted(at: (step: string) => boolean, run: () => Promise<unknown>): SyncSteps {
    let done = false;
    return gated(steps, async (step) => {
      if (done || !at(step)) return;
      done = true;
      await run();
    });
  }
  const beforeSwap = (step: string) => step.includes("'RENAME'");
  const afterSwap = (step: string) => step === `sscan ${signersKey("one")}`;

  test.each([
    ["after the pages were read", (step: string) => step === "mget" || step.startsWith("sscan")],
    ["right before the swap", beforeSwap],
    ["right before the mark", (step: string) => step.includes("'INFO'")],
  ])("adds and removes that were applied and forgotten %s are kept", async (_, at) => {
    for (const voterId of ["a", "b"]) await carryOutNow(await add(voterId));
    const during = interrupted(at, async () => {
      await carryOutNow(await add("new"));
      await carryOutNow(await remove("a"));
    });
    await rebuildSigners(during, "one");
    expect(await members()).toEqual(["b", "new"]);
    expect(await notes()).toEqual([]);
  });

  test("a change that came between the look at the table and the repair is not undone", async () => {
    await carryOutNow(await add("a"));
    await redis.srem(signersKey("one"), "a");
    const during = interrupted(
      (step) => step.includes("local changed = 0"),
      async () => void (await carryOutNow(await remove("a"))),
    );
    await rebuildSigners(during, "one");
    expect(await members()).toEqual([]);
  });

  test.each([
    ["flushed", () => redis.flushall()],
    ["taken over by another run", () => redis.hset(signersRunKey("one"), "run", "another")],
    [
      "robbed of a member of the new set",
      async () => {
        const [building = ""] = await temporary();
        await redis.srem(building, "a");
      },
    ],
  ])("a run that is %s before the swap swaps nothing in", async (_, harm) => {
    for (const voterId of ["a", "b"]) await add(voterId);
    await redis.sadd(signersKey("one"), "old");
    await expect(rebuildSigners(interrupted(beforeSwap, harm), "one")).rejects.toThrow(RunLost);
    expect([[], ["old"]]).toContainEqual(await members());
    expect(await redis.exists(signersBuiltKey("one"))).toBe(0);
  });

  test("a failure before the swap leaves the old set and its mark, one after it leaves no mark", async () => {
    await add("a");
    await syncSigners(steps, {});
    await database.sql(
      "insert into public.lines (team_id, campaign_id, verdict, voter_id) values ('north', 'one', 'accepted', 'b')",
    );
    const fail = () => Promise.reject(new Error("away"));
    await expect(rebuildSigners(interrupted(beforeSwap, fail), "one")).rejects.toThrow("away");
    expect(await members()).toEqual(["a"]);
    expect(await redis.exists(signersBuiltKey("one"))).toBe(1);
    expect(await temporary()).toEqual([]);
    expect(await redis.exists(signersRunKey("one"))).toBe(0);
    let scans = 0;
    const late = interrupted((step) => afterSwap(step) && ++scans === 2, fail);
    await expect(rebuildSigners(late, "one")).rejects.toThrow("away");
    expect(await redis.exists(signersBuiltKey("one"))).toBe(0);
    expect(await syncSigners(steps, {})).toMatchObject({ campaigns: [{ campaignId: "one", read: 2 }] });
    expect(await members()).toEqual(["a", "b"]);
  });

  test("what a run leaves that dies altogether is gone by itself", async () => {
    for (const voterId of ["a", "b"]) await add(voterId);
    let dead = false;
    const dying = gated(steps, async (step) => {
      dead ||= beforeSwap(step);
      if (dead) throw new Error("gone");
    });
    await expect(rebuildSigners(dying, "one")).rejects.toThrow("gone");
    const left = [...(await temporary()), signersRunKey("one")];
    expect(left).toHaveLength(2);
    for (const key of left) {
      const milliseconds = await redis.pttl(key);
      expect(milliseconds).toBeGreaterThan(0);
      expect(milliseconds).toBeLessThanOrEqual(15_000);
    }
  });

  test("two at once take turns, and both tell the truth", async () => {
    for (const voterId of ["a", "b", "c"]) await add(voterId);
    const results = await Promise.all([1, 2].map(() => syncSigners(steps, { campaignId: "one" })));
    expect(results.map((result) => result?.campaigns[0]?.added).toSorted()).toEqual([0, 3]);
    expect(await members()).toEqual(["a", "b", "c"]);
  });
});

test("with Redis killed in the middle of entry and of a rebuild, one call makes set and table equal", async () => {
  for (const voterId of ["a", "b", "c"]) await carryOutNow(await add(voterId));
  await syncSigners(steps, {});
  let asked = 0;
  const failing = gated(steps, async () => {
    asked += 1;
    if (asked === 6) await server.stop();
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
  expect(await notes()).toEqual([]);
});

// ── Any interleaving ─────────────────────────────────────────────────────────────────────────────────────────────────

// The steps, each of which first waits for `before`. It is told the step: the store's command with its key or script, or
// the table's function.
function gated(plain: SyncSteps, before: (step: string) => Promise<void>): SyncSteps {
  const table =
    <Given extends unknown[], Result>(name: string, run: (...given: Given) => Promise<Result>) =>
    async (...given: Given) => {
      await before(name);
      return run(...given);
    };
  const store = (client: SetStore): SetStore => ({
    eval: async (script, ...given) => {
      await before(script);
      return client.eval(script, ...given);
    },
    sscan: async (key, ...given) => {
      await before(`sscan ${key}`);
      return client.sscan(key, ...given);
    },
    smismember: async (...given) => {
      await before("smismember");
      return client.smismember(...given);
    },
    mget: async (keys) => {
      await before("mget");
      return client.mget(keys);
    },
  });
  return {
    ...plain,
    withStore: (run) => plain.withStore((client) => run(store(client))),
    campaigns: table("campaigns", plain.campaigns),
    table: {
      count: table("count", plain.table.count),
      page: table("page", plain.table.page),
      live: table("live", plain.table.live),
    },
    readNotes: table("readNotes", plain.readNotes),
    deleteNotes: table("deleteNotes", plain.deleteNotes),
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
      // What becomes of the command: carried out and its note deleted, carried out alone, delayed, lost.
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

test("whatever happens in whatever order, then one more call, and each set holds whom the table holds", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 20, maxLength: 100, size: "max" }), async (actions) => {
      await redis.flushall();
      await empty();
      const delayed: (() => Promise<unknown>)[] = [];
      const waiting: { go(): void; fail(): void; over: Promise<void> }[] = [];
      const running: Promise<unknown>[] = [];
      let open = false;
      const stepwise = gated({ ...steps, pageSize: 2 }, () => {
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
      // Lets one step go on, until its run waits at the next one or is over.
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
            if (step.command === "done") await carryOut(redis, database.sql, change);
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
          case "restart": // empty; what was on its way over the old connections is gone with them
            delayed.length = 0;
            await redis.flushall();
            break;
        }
      }
      open = true;
      for (const step of waiting) step.go();
      await Promise.all(running);
      for (const command of delayed) await command();
      await redis.del(signersRunKey("one"), signersRunKey("two")); // as time does, when a run could not say that it ended
      await syncSigners(steps, {});
      for (const campaign of ["one", "two"]) {
        const { set, table } = await compareSigners(redis, database.sql, campaign);
        expect(set).toEqual(table);
      }
      expect(await notes()).toEqual([]);
    }),
    { numRuns: inDrill(25, { else: 5 }) },
  );
}, 300_000);

// ── Transactions that overlap ────────────────────────────────────────────────────────────────────────────────────────

describe("on a PostgreSQL server, where there is one", () => {
  let postgresServer: PostgresServer | undefined;
  beforeAll(async () => {
    postgresServer = await startPostgres();
  });
  afterAll(() => postgresServer?.stop());

  test("a change whose transaction began first and is committed last is not lost", async () => {
    const random = () => randomBytes(24).toString("hex");
    const keys = { publishable: `sb_publishable_${random()}`, secret: `sb_secret_${random()}`, jwtSecret: random() };
    const location = postgresServer ? { databaseUrl: postgresServer.url } : "memory";
    const own = await openDatabase({ location, keys });
    const slow = postgresServer ? postgres(postgresServer.url, { max: 1 }) : undefined;
    // Without a server there is one connection: then the late change is simply made later.
    const late = (query: string) => (slow ? slow.unsafe(query) : Promise.resolve());
    try {
      await own.sql("insert into public.teams (id, name) values ('north', 'North')");
      await own.sql("insert into public.campaigns (id, name, team_id) values ('one', 'One', 'north')");
      const ownSteps = syncSteps(async (name, body) => {
        const answer = await own.fetch(
          new Request(`http://127.0.0.1/rest/v1/rpc/${name}`, {
            method: "POST",
            headers: { "content-type": "application/json", apikey: keys.secret },
            body: JSON.stringify(body),
          }),
        );
        const text = await answer.text();
        if (!answer.ok) throw new Error(text);
        return text === "" ? null : JSON.parse(text);
      }, redis);
      const insert =
        "insert into public.lines (team_id, campaign_id, verdict, voter_id) values ('north', 'one', 'accepted', 'late')";

      await late("begin");
      await late(insert);
      const early = await changeLine(own.sql, { campaignId: "one", voterId: "early", member: true });
      expect(await syncSigners(ownSteps, {})).toMatchObject({ campaigns: [{ read: 1 }], notes: 1 });
      expect(await members()).toEqual(["early"]);
      await late("commit");
      if (!slow) await own.sql(insert);
      expect(await syncSigners(ownSteps, {})).toEqual({ campaigns: [], notes: 1 });
      expect(await members()).toEqual(["early", "late"]);

      // Committed, applied and forgotten while a rebuild that did not see it swaps its set in.
      await late("begin");
      await late("update public.lines set removed_at = now() where voter_id = 'late'");
      let committed = false;
      const during = gated(ownSteps, async (step) => {
        if (committed || !step.includes("'RENAME'")) return;
        committed = true;
        await late("commit");
        if (!slow) await own.sql("update public.lines set removed_at = now() where voter_id = 'late'");
        const [row] = await own.sql<{ change_number: number }>(
          "select change_number::float8 from public.lines where voter_id = 'late'",
        );
        const changeNumber = row?.change_number ?? 0;
        expect(changeNumber).toBeGreaterThan(early?.changeNumber ?? 0);
        await carryOut(redis, own.sql, { campaignId: "one", voterId: "late", member: false, changeNumber });
      });
      expect(await rebuildSigners(during, "one")).toEqual({ read: 2, added: 0, dropped: 0 });
      expect(await members()).toEqual(["early"]);
    } finally {
      await slow?.end();
      await own.close();
    }
  });
});

test("the keys of a campaign lie in the cluster slot of its set", () => {
  for (const key of [signersRunKey, signersBuiltKey]) expect(key("one")).toMatch(/^\{campaign:one:signers\}:/);
  expect(signerChangeKey("one", "v")).toMatch(/^\{campaign:one:signers\}:/);
  expect(signersSyncKey("one", "run")).toMatch(/^\{campaign:one:signers\}:/);
});
