// Fifty clerks at once, on a real PostgreSQL and a real Redis.
import { Redis } from "ioredis";
import postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { LineOutcome } from "../../../lib/signatures/line-outcome.ts";
import { lineSchema } from "../../../lib/signatures/line-schema.ts";
import { recordLine } from "../../../lib/signatures/record-line.ts";
import { removeLine } from "../../../lib/signatures/remove-line.ts";
import { signersKey } from "../../../supabase/functions/_shared/signers.ts";
import { syncSigners } from "../../../supabase/functions/_shared/sync-signers.ts";
import { insertUsers, insertWorld, uuidOf } from "../../support/access-world.ts";
import { linePeople, lineWorld } from "../../support/line-world.ts";
import { startRedis } from "../../support/redis-server.ts";
import { syncSteps } from "../../support/signer-world.ts";
import { openTestDatabase, type TestDatabase } from "../../support/test-database.ts";

const clerks = 50;
const voters = Array.from({ length: 1_000 }, (_, number) => `V-${number}`);

const redis = await startRedis();
let database: TestDatabase;

// The functions are called without REST between, which would take most of the time of 50 000 lines. As the service role,
// on connections of their own.
type Rpc = (name: string, given: Record<string, unknown>) => Promise<{ data: unknown; error: null }>;
const rpc = vi.hoisted(() => ({ call: undefined as Rpc | undefined }));
vi.mock("../../../lib/supabase/admin.ts", () => ({
  createAdminClient: () => ({
    rpc: (name: string, given: Record<string, unknown>) => rpc.call?.(name, given),
  }),
}));
let connections: postgres.Sql;
const store = new Redis(redis.url, { maxRetriesPerRequest: null });
store.on("error", () => undefined);

beforeAll(async () => {
  database = await openTestDatabase();
  connections = postgres(database.url, {
    max: 10,
    connection: { role: "service_role" },
    types: { bigint: { to: 20, from: [20], serialize: String, parse: Number } },
    onnotice: () => undefined,
  });
  rpc.call = async (name, given) => {
    const values = Object.values(given).map((value) =>
      typeof value === "object" && !Array.isArray(value) && value !== null ? JSON.stringify(value) : value,
    );
    const names = Object.keys(given).map(
      (key, index) => `${key} => $${index + 1}${key === "p_line" ? "::text::jsonb" : ""}`,
    );
    const query = `select public.${name}(${names}) as answer`;
    const rows = await connections.unsafe(query, values as never[], { prepare: true });
    return { data: rows[0]?.answer, error: null };
  };
  vi.stubEnv("REDIS_URL", redis.url);
  await insertUsers(database, linePeople);
  await insertWorld(database, lineWorld);
});
beforeEach(async () => {
  await database.sql("truncate public.lines, public.signer_changes");
  await store.flushall();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  store.disconnect();
  await connections.end();
  await database.close();
  await redis.close();
});

type Told = { voterId: string; id: string; outcome: LineOutcome };
let laterTasks: Promise<void>[] = [];
const later = (task: () => Promise<void>) => void laterTasks.push(task());
const allLater = async () => {
  await Promise.all(laterTasks);
  laterTasks = [];
};

const lineOf = (voterId: string, sheet: number, number: number) =>
  lineSchema.parse({
    id: crypto.randomUUID(),
    team: "north",
    campaign: "lakes",
    verdict: "accepted",
    voterId,
    sheet,
    line: number,
  });

// Each enters so many of the voters, from another one on, so that they meet. `onLine` is called before each line.
async function enterAll(each: number, onLine: (entered: number) => void = () => undefined): Promise<Told[]> {
  let entered = 0;
  const told = await Promise.all(
    Array.from({ length: clerks }, async (_, clerk) => {
      const answers: Told[] = [];
      // Pairs of clerks start at the same voter.
      const from = Math.floor(clerk / 2) * Math.floor(voters.length / (clerks / 2));
      for (const [index, voterId] of [...voters.slice(from), ...voters.slice(0, from)].slice(0, each).entries()) {
        onLine(entered++);
        const line = lineOf(voterId, clerk + 1, index + 1);
        const actorId = uuidOf(clerk % 2 === 0 ? "ada" : "bea");
        answers.push({ voterId, id: line.id, outcome: await recordLine({ actorId, line }, later) });
      }
      return answers;
    }),
  );
  await allLater();
  return told.flat();
}

// Each clerk's each answer, against the rows.
async function expectEachStoredOnce(told: Told[]) {
  const stored = await database.sql<{ id: string; voter_id: string; sheet: number; line: number; name: string }>(
    `select l.id, l.voter_id, l.sheet, l.line, p.name from public.lines l
     join public.profiles p on p.user_id = l.entered_by where l.verdict = 'accepted' and l.removed_at is null`,
  );
  expect(stored.map(({ voter_id }) => voter_id).sort()).toEqual([...voters].sort());
  const rowOf = new Map(stored.map((row) => [row.voter_id, row]));
  const acceptedOf = new Map<string, number>();
  for (const { voterId, id, outcome } of told) {
    const row = rowOf.get(voterId);
    if (outcome.outcome === "accepted") {
      acceptedOf.set(voterId, (acceptedOf.get(voterId) ?? 0) + 1);
      expect(row?.id).toBe(id);
    } else {
      expect(outcome).toEqual({
        outcome: "duplicate",
        of: { ownTeam: true, enteredAt: expect.any(String), enteredBy: row?.name, sheet: row?.sheet, line: row?.line },
      });
    }
  }
  expect([...acceptedOf.values()]).toEqual(voters.map(() => 1));
  const [rejected] = await database.sql<{ lines: number }>(
    "select count(*)::int as lines from public.lines where verdict = 'duplicate'",
  );
  expect(rejected?.lines).toBe(told.length - voters.length);
}

const members = async () => (await store.smembers(signersKey("lakes"))).sort();
const live = async () => {
  const rows = await database.sql<{ voter_id: string }>(
    "select voter_id from public.lines where campaign_id = 'lakes' and verdict = 'accepted' and removed_at is null",
  );
  return rows.map(({ voter_id }) => voter_id).sort();
};
const notes = () => database.sql<{ voter_id: string | null }>("select * from public.signer_changes");

/** How many clerks were told that the set is behind with their voter, each of whom is noted. */
async function behindWithNotes(told: Told[]) {
  const behind = told.filter(({ outcome }) => outcome.outcome === "accepted" && outcome.setBehind);
  const noted = (await notes()).map(({ voter_id }) => voter_id);
  expect(noted).toEqual(expect.arrayContaining(behind.map(({ voterId }) => voterId)));
  return behind.length;
}

// As the schedule calls sync-signers.
const synchronise = () =>
  syncSigners(
    syncSteps(async (name, given) => (await rpc.call?.(name, given))?.data, store),
    {},
  );

describe("fifty clerks enter the same 1 000 voters at once", () => {
  test("each voter is stored once, all others are told whose line it is, and set and table hold the same", async () => {
    const told = await enterAll(voters.length);
    expect(told).toHaveLength(clerks * voters.length);
    await expectEachStoredOnce(told);
    const behind = await behindWithNotes(told);
    expect(behind).toBeLessThan(voters.length / 20);
    if (behind > 0) await synchronise(); // on a busy machine Redis can take longer than a line waits for it
    expect(await members()).toEqual([...voters].sort());
    expect(await notes()).toEqual([]);
  }, 300_000);

  test("the same with Redis killed in the middle, after sync-signers", async () => {
    let stopped: Promise<void> | undefined;
    const told = await enterAll(voters.length / 4, (entered) => {
      if (entered === 600) stopped = redis.stop();
      if (entered === 6_000) void stopped?.then(() => redis.restart());
    });
    await stopped;
    await vi.waitFor(() => store.ping(), { timeout: 20_000 });
    await expectEachStoredOnce(told);
    expect(await behindWithNotes(told)).toBeGreaterThan(0);
    await synchronise();
    expect(await members()).toEqual([...voters].sort());
    expect(await notes()).toEqual([]);
  }, 300_000);
});

test("lines that are entered and undone by many at once leave set and table the same", async () => {
  const few = voters.slice(0, 10);
  await Promise.all(
    Array.from({ length: 20 }, async (_, clerk) => {
      const actorId = uuidOf(clerk % 2 === 0 ? "ada" : "bea");
      for (let round = 0; round < 20; round++) {
        const voterId = few[(clerk * 7 + round * 3) % few.length] ?? "V-0";
        const line = lineOf(voterId, clerk + 1, round + 1);
        const { outcome } = await recordLine({ actorId, line }, later);
        if (outcome !== "accepted" || (clerk + round) % 5 === 0) continue;
        const place = { team: "north", campaign: "lakes" };
        expect(await removeLine({ actorId, ...place, id: line.id }, later)).toEqual({
          outcome: "removed",
          setBehind: false,
        });
      }
    }),
  );
  await allLater();
  expect(await members()).toEqual(await live());
  expect(await notes()).toEqual([]);
});

// Many lines, so that requests meet at each step of the function.
test("lines sent many times at once are stored once each, and every answer says so", async () => {
  const lines = Array.from({ length: 40 }, (_, index) => lineOf(`V-${index}`, 1, index + 1));
  for (const line of lines) {
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, () => recordLine({ actorId: uuidOf("ada"), line }, later)),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toEqual({
      status: "fulfilled",
      value: { outcome: "accepted", enteredAt: expect.any(String), setBehind: false },
    });
  }
  await allLater();
  expect(await live()).toEqual(lines.map(({ voterId }) => voterId).sort());
  expect(await database.sql("select from public.lines")).toHaveLength(lines.length);
});

describe("one line of one sheet, keyed by many at once", () => {
  // On each of 40 lines, ten clerks at once, each another voter, or all the same one.
  test.each([
    ["for a voter each", (line: number, clerk: number) => `V-${line}-${clerk}`],
    ["for one voter", (line: number) => `V-${line}`],
    ["for voters who are on other lines too", (line: number, clerk: number) => `V-${(line + clerk) % 40}`],
  ])("%s, is stored once; all others are told what stands there", async (_, voterOf) => {
    const told = await Promise.all(
      Array.from({ length: 400 }, async (_, turn) => {
        const [number, clerk] = [(turn % 40) + 1, Math.floor(turn / 40)];
        const line = lineOf(voterOf(number, clerk), 7, number);
        const actorId = uuidOf(clerk % 2 === 0 ? "ada" : "bea");
        const outcome = await recordLine({ actorId, line }, later).catch((error: unknown) => error);
        return { line, number, outcome };
      }),
    );
    await allLater();
    const rows = await database.sql<{ id: string; line: number; voter_id: string; verdict: string; name: string }>(
      `select l.id, l.line, l.voter_id, l.verdict, p.name from public.lines l
       join public.profiles p on p.user_id = l.entered_by order by l.line`,
    );
    expect(rows.map(({ line }) => line)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    for (const { line, number, outcome } of told) {
      const row = rows[number - 1];
      if (row?.id === line.id) {
        expect(outcome).toMatchObject({ outcome: row.verdict });
      } else {
        const what = `voter ${row?.voter_id}, ${row?.verdict}, keyed by ${row?.name} on `;
        expect(outcome).toMatchObject({ code: "conflict" });
        expect(String(outcome)).toContain(`Sheet 7, line ${number} is taken: ${what}`);
      }
    }
    const signers = rows.filter(({ verdict }) => verdict === "accepted").map(({ voter_id }) => voter_id);
    expect(new Set(signers).size).toBe(signers.length);
    expect(await members()).toEqual(signers.sort());
    expect(await notes()).toEqual([]);
  });
});

describe("while Redis misbehaves, a line is stored all the same, in time, and the set is repaired by its note", () => {
  beforeEach(async () => void (await synchronise())); // so that the set counts as complete
  let lines = 0;
  const enter = async (id: string) => {
    const began = performance.now();
    const outcome = await recordLine({ actorId: uuidOf("ada"), line: lineOf(id, 1, ++lines) }, later);
    return { outcome, took: performance.now() - began };
  };
  const behind = { outcome: "accepted", enteredAt: expect.any(String), setBehind: true };
  const afterRecovery = async () => {
    await allLater();
    await synchronise();
    expect(await members()).toEqual(await live());
    // The application's own client is back too.
    await vi.waitFor(
      async () => expect(await enter(crypto.randomUUID())).toMatchObject({ outcome: { setBehind: false } }),
      {
        timeout: 5_000,
      },
    );
    await allLater();
    await synchronise();
    expect(await members()).toEqual(await live());
  };

  test("frozen, and what it was sent meanwhile is carried out late", async () => {
    await enter("V-first");
    redis.freeze();
    try {
      const { outcome, took } = await enter("V-1");
      expect(outcome).toEqual(behind);
      expect(took).toBeLessThan(2_000); // it waits 200 ms for Redis, on a machine that may be busy
      expect(await live()).toEqual(["V-1", "V-first"]);
      expect((await notes()).map(({ voter_id }) => voter_id)).toContain("V-1");
    } finally {
      redis.thaw();
    }
    await vi.waitFor(() => store.ping(), { timeout: 5_000 });
    await afterRecovery();
  });

  test("of a wrong type", async () => {
    await store.set(signersKey("lakes"), "no set");
    const { outcome } = await enter("V-1");
    expect(outcome).toEqual(behind);
    expect(await live()).toEqual(["V-1"]);
    expect((await notes()).map(({ voter_id }) => voter_id)).toEqual(["V-1", null]); // and the set is to be rebuilt
    await afterRecovery();
  });

  test("out of memory", async () => {
    await store.config("SET", "maxmemory", "1");
    try {
      expect((await enter("V-1")).outcome).toEqual(behind);
      expect(await live()).toEqual(["V-1"]);
    } finally {
      await store.config("SET", "maxmemory", "0");
    }
    await afterRecovery();
  });
});
