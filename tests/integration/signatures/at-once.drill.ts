// Many people enter, remove, restore, move and renumber lines at once, on a real PostgreSQL and a real Redis.
import postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { enteredLineSchema } from "../../../lib/signatures/changes.ts";
import { recordLine, removeLine } from "../../../lib/signatures/lines.ts";
import { seededRandom } from "../../../scripts/demo-data/seeded-random.ts";
import { signersKey } from "../../../supabase/functions/_shared/signers.ts";
import { syncSigners } from "../../../supabase/functions/_shared/sync-signers.ts";
import { insertUsers, insertWorld, uuidOf } from "../../support/access-world.ts";
import { linePeople, lineWorld } from "../../support/line-world.ts";
import { setUpRedis } from "../../support/redis.ts";
import { syncSteps } from "../../support/signer-world.ts";
import { setUpTestDatabase } from "../../support/test-database.ts";

const clerks = 50;
const voters = Array.from({ length: 250 }, (_, number) => `V-${number}`);
const place = { team: "north", campaign: "lakes" };

const { server: redis, redis: store } = await setUpRedis();
const database = await setUpTestDatabase();
let connections: postgres.Sql;

// The functions are called directly, because REST would take most of the time: as the service role, on separate connections.
type Rpc = (name: string, args: Record<string, unknown>) => Promise<{ data: unknown; error: null }>;
const rpc = vi.hoisted((): { call: Rpc } => ({ call: () => Promise.reject(new Error("There is no database yet.")) }));
vi.mock("../../../lib/supabase/admin.ts", () => ({
  createAdminClient: () => ({ rpc: (...args: Parameters<Rpc>) => rpc.call(...args) }),
}));

beforeAll(async () => {
  connections = postgres(database.url, {
    max: 12,
    connection: { role: "service_role" },
    types: { bigint: { to: 20, from: [20], serialize: String, parse: Number } },
    onnotice: () => undefined,
  });
  rpc.call = async (name, args) => {
    const isObject = (value: unknown) => typeof value === "object" && !Array.isArray(value) && value !== null;
    const values = Object.values(args).map((value) => (isObject(value) ? JSON.stringify(value) : value));
    const names = Object.entries(args).map(
      ([key, value], index) => `${key} => $${index + 1}${isObject(value) ? "::text::jsonb" : ""}`,
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
  await database.sql("truncate public.lines, public.sheets, public.line_changes, public.signer_changes");
  await store.flushall();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await connections.end();
});

let laterTasks: Promise<void>[] = [];
const later = (task: () => Promise<void>) => void laterTasks.push(task());
const allLater = async () => {
  await Promise.all(laterTasks);
  laterTasks = [];
};

const lineOf = (voterId: string, sheet: number, number: number) =>
  enteredLineSchema.parse({ id: crypto.randomUUID(), ...place, verdict: "accepted", voterId, sheet, line: number });
const clerkAt = (index: number) => uuidOf(index % 2 === 0 ? "ada" : "bea");

const members = async () => (await store.smembers(signersKey("lakes"))).sort();
const live = async () => {
  const rows = await database.sql<{ voter_id: string }>(
    "select voter_id from public.lines where campaign_id = 'lakes' and verdict = 'accepted' and removed_at is null",
  );
  return rows.map(({ voter_id }) => voter_id).sort();
};
const pendingChanges = () => database.sql<{ voter_id: string | null }>("select * from public.signer_changes");

// Calls sync-signers like the schedule.
const synchronise = () =>
  syncSigners(
    syncSteps(async (name, args) => (await rpc.call(name, args)).data, store),
    {},
  );

test("of fifty clerks who enter the same voters one stores each, and the others see whose line it is, even if Redis is killed", async () => {
  let entered = 0;
  let stopped: Promise<void> | undefined;
  const enterAll = async (clerk: number) => {
    const sent: { voterId: string; id: string; stored: Awaited<ReturnType<typeof recordLine>> }[] = [];
    const from = Math.floor(clerk / 2) * Math.floor(voters.length / (clerks / 2)); // pairs of clerks start at the same voter
    for (const [index, voterId] of [...voters.slice(from), ...voters.slice(0, from)].entries()) {
      if (entered === 100) stopped = redis.stop();
      if (entered === 2_500) void stopped?.then(() => redis.restart());
      entered++;
      const line = lineOf(voterId, clerk + 1, index + 1);
      sent.push({ voterId, id: line.id, stored: await recordLine({ actorId: clerkAt(clerk), line }, later) });
    }
    return sent;
  };
  const sent = (await Promise.all(Array.from({ length: clerks }, (_, clerk) => enterAll(clerk)))).flat();
  await allLater();
  await stopped;
  await vi.waitFor(() => store.ping(), { timeout: 20_000 });

  const rows = await database.sql<{ id: string; voter_id: string; sheet: number; line: number; name: string }>(
    `select l.id, l.voter_id, l.sheet, l.line, p.name from public.lines l
     join public.profiles p on p.user_id = l.entered_by where l.verdict = 'accepted' and l.removed_at is null`,
  );
  expect(rows.map(({ voter_id }) => voter_id).sort()).toEqual([...voters].sort());
  const rowOf = new Map(rows.map((row) => [row.voter_id, row]));
  const accepted = sent.filter(({ stored }) => stored.outcome.outcome === "stored");
  expect(accepted.map(({ id }) => id).sort()).toEqual(rows.map(({ id }) => id).sort());
  for (const { voterId, stored } of sent.filter((line) => !accepted.includes(line))) {
    const row = rowOf.get(voterId);
    expect(stored.outcome).toEqual({
      outcome: "duplicate",
      of: { ownTeam: true, enteredAt: expect.any(String), enteredBy: row?.name, sheet: row?.sheet, line: row?.line },
    });
  }
  const stored = await database.sql("select verdict from public.lines where verdict in ('accepted', 'duplicate')");
  expect(stored).toHaveLength(sent.length);

  // Each line whose set was reported behind has a pending change.
  const behind = accepted.filter(({ stored }) => stored.isSetStale);
  expect(behind.length).toBeGreaterThan(0);
  const pending = (await pendingChanges()).map(({ voter_id }) => voter_id);
  expect(pending).toEqual(expect.arrayContaining(behind.map(({ voterId }) => voterId)));
  await synchronise();
  expect(await members()).toEqual([...voters].sort());
  expect(await pendingChanges()).toEqual([]);
}, 300_000);

test("lines entered and undone by many at once leave set and table equal", async () => {
  const few = voters.slice(0, 10);
  await Promise.all(
    Array.from({ length: 20 }, async (_, clerk) => {
      const actorId = clerkAt(clerk);
      for (let round = 0; round < 20; round++) {
        const voterId = few[(clerk * 7 + round * 3) % few.length] ?? "V-0";
        const line = lineOf(voterId, clerk + 1, round + 1);
        const { outcome } = await recordLine({ actorId, line }, later);
        if (outcome.outcome !== "stored" || (clerk + round) % 5 === 0) continue;
        expect(await removeLine({ actorId, ...place, id: line.id }, later)).toEqual({ isSetStale: false });
      }
    }),
  );
  await allLater();
  expect(await members()).toEqual(await live());
  expect(await pendingChanges()).toEqual([]);
});

// Many lines, so that requests collide at each step of the function.
test("lines sent many times at once are stored once each, with equal answers", async () => {
  const lines = Array.from({ length: 40 }, (_, index) => lineOf(`V-${index}`, 1, index + 1));
  for (const line of lines) {
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, () => recordLine({ actorId: uuidOf("ada"), line }, later)),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toEqual({
      status: "fulfilled",
      value: { outcome: { outcome: "stored", verdict: "accepted" }, isSetStale: false },
    });
  }
  await allLater();
  expect(await live()).toEqual(lines.map(({ voterId }) => voterId).sort());
  expect(await database.sql("select from public.lines")).toHaveLength(lines.length);
});

describe("one line of one sheet, entered by many at once", () => {
  // Ten clerks at once on each of 40 lines, with different voters or the same one.
  test.each([
    ["for a voter each", (line: number, clerk: number) => `V-${line}-${clerk}`],
    ["for one voter", (line: number) => `V-${line}`],
    ["for voters who are on other lines too", (line: number, clerk: number) => `V-${(line + clerk) % 40}`],
  ])("%s, is stored once, and the others see what is there", async (_, voterOf) => {
    const sent = await Promise.all(
      Array.from({ length: 400 }, async (_, turn) => {
        const [number, clerk] = [(turn % 40) + 1, Math.floor(turn / 40)];
        const line = lineOf(voterOf(number, clerk), 7, number);
        const actorId = clerkAt(clerk);
        return { line, number, actorId, ...(await recordLine({ actorId, line }, later)) };
      }),
    );
    await allLater();
    type Row = { id: string; line: number; voter_id: string; verdict: string; entered_by: string; name: string };
    const rows = await database.sql<Row>(
      `select l.id, l.line, l.voter_id, l.verdict, l.entered_by, p.name from public.lines l
       join public.profiles p on p.user_id = l.entered_by order by l.line`,
    );
    expect(rows.map(({ line }) => line)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    for (const { line, number, actorId, outcome } of sent) {
      const row = rows[number - 1];
      if (row?.id === line.id) {
        expect(outcome.outcome).toBe(row.verdict === "accepted" ? "stored" : "duplicate");
      } else {
        const verdict = row?.verdict === "accepted" ? "valid" : row?.verdict;
        const who = row?.entered_by === actorId ? "You" : row?.name;
        const what = `${who} already entered voter ${row?.voter_id} on sheet 7, line ${number} (${verdict}, `;
        const error = expect.stringContaining(what);
        expect(outcome).toMatchObject({ outcome: "line-taken", error });
      }
    }
    const signers = rows.filter(({ verdict }) => verdict === "accepted").map(({ voter_id }) => voter_id);
    expect(new Set(signers).size).toBe(signers.length);
    expect(await members()).toEqual(signers.sort());
    expect(await pendingChanges()).toEqual([]);
  });
});

describe("while Redis misbehaves, a line is stored in time, and its pending change repairs the set", () => {
  beforeEach(async () => void (await synchronise())); // so that the set counts as complete
  let lines = 0;
  const enter = async (id: string) => {
    const began = performance.now();
    const stored = await recordLine({ actorId: uuidOf("ada"), line: lineOf(id, 1, ++lines) }, later);
    return { stored, took: performance.now() - began };
  };
  const behind = { outcome: { outcome: "stored", verdict: "accepted" }, isSetStale: true };
  const afterRecovery = async () => {
    await allLater();
    await synchronise();
    expect(await members()).toEqual(await live());
    // The application's own client is back too.
    const isBack = async () =>
      expect(await enter(crypto.randomUUID())).toMatchObject({ stored: { isSetStale: false } });
    await vi.waitFor(isBack, { timeout: 20_000 });
    await allLater();
    await synchronise();
    expect(await members()).toEqual(await live());
  };

  test("frozen, and late commands run when it thaws", async () => {
    await enter("V-first");
    redis.freeze();
    try {
      const { stored, took } = await enter("V-1");
      expect(stored).toEqual(behind);
      expect(took).toBeLessThan(2_000); // it waits 200 ms for Redis, plus time for a busy machine
      expect(await live()).toEqual(["V-1", "V-first"]);
      expect((await pendingChanges()).map(({ voter_id }) => voter_id)).toContain("V-1");
    } finally {
      redis.thaw();
    }
    await vi.waitFor(() => store.ping(), { timeout: 20_000 });
    await afterRecovery();
  });

  test.each([
    ["of a wrong type", () => store.set(signersKey("lakes"), "no set"), ["V-1", null]], // and the set is to be rebuilt
    ["out of memory", () => store.config("SET", "maxmemory", "1"), ["V-1"]],
  ])("%s", async (_what, harm, pending) => {
    await harm();
    try {
      expect((await enter("V-1")).stored).toEqual(behind);
      expect(await live()).toEqual(["V-1"]);
      expect((await pendingChanges()).map(({ voter_id }) => voter_id)).toEqual(pending);
    } finally {
      await store.config("SET", "maxmemory", "0");
    }
    await afterRecovery();
  });
});

test("who starts a sheet while someone's first line starts the same one gets the next number", async () => {
  const placeOf = { p_team_id: "north", p_campaign_id: "lakes" };
  let opening: ReturnType<typeof rpc.call> | undefined;
  await connections.begin(async (transaction) => {
    const line = JSON.stringify(lineOf("V-1", 1, 1));
    await transaction`select public.record_line(${uuidOf("bea")}, ${line}::text::jsonb)`;
    opening = rpc.call("open_sheet", { p_actor_id: uuidOf("ada"), ...placeOf });
    await vi.waitFor(async () => {
      const [waiting] = await database.sql("select from pg_stat_activity where wait_event_type = 'Lock'");
      expect(waiting).toBeDefined();
    });
  });
  const { data } = (await opening) ?? {};
  expect(data).toMatchObject({ outcome: "opened", sheet: { number: 2, nextLine: 1, mine: true } });
  const sheets = await database.sql("select number, opened_by from public.sheets order by number");
  expect(sheets).toEqual([
    { number: 1, opened_by: uuidOf("bea") },
    { number: 2, opened_by: uuidOf("ada") },
  ]);
});

describe("lines that are changed by several at once", () => {
  const enteredAt = new Map<string, [number, number]>();
  beforeEach(() => enteredAt.clear());

  const answerSchema = z.object({ outcome: z.string(), unchanged: z.boolean().optional() });
  const callFunction = async (name: string, args: Record<string, unknown>) =>
    answerSchema.parse((await rpc.call(name, args)).data);
  const change = async (name: string, who: string, args: Record<string, unknown>) =>
    (await callFunction(name, { p_actor_id: uuidOf(who), p_team_id: "north", p_campaign_id: "lakes", ...args }))
      .outcome;
  async function enter(who: string, id: string, [sheet, line]: [number, number], voterId = `V-${id}`) {
    const sentLine = { id: uuidOf(id), ...place, sheet, line, verdict: "accepted", voterId };
    const { outcome, unchanged } = await callFunction("record_line", { p_actor_id: uuidOf(who), p_line: sentLine });
    if (unchanged === false) enteredAt.set(uuidOf(id), [sheet, line]);
    return outcome;
  }
  const remove = (who: string, id: string) => change("remove_line", who, { p_id: uuidOf(id), p_reason: "a test" });
  const restore = (who: string, id: string) => change("restore_line", who, { p_id: uuidOf(id) });
  const move = (who: string, id: string, sheet: number, line: number) =>
    change("move_line", who, { p_id: uuidOf(id), p_sheet: sheet, p_line: line });
  const renumber = (who: string, from: number, to: number) => change("renumber_sheet", who, { p_from: from, p_to: to });
  const open = (who: string, sheet: number) => change("open_sheet", who, { p_number: sheet });
  const deleteSheet = (who: string, sheet: number) => change("delete_sheet", who, { p_number: sheet });

  type Line = { id: string; sheet: number; line: number; voter_id: string; verdict: string; live: boolean };
  const lines = () =>
    database.sql<Line>(
      "select id, sheet, line, voter_id, verdict, removed_at is null as live from public.lines order by id",
    );
  const lineNamed = async (id: string) => (await lines()).find((line) => line.id === uuidOf(id));
  const sheets = async () =>
    (await database.sql<{ number: number }>("select number from public.sheets order by number")).map(
      ({ number }) => number,
    );
  const rounds = Array.from({ length: 60 }, (_, round) => round);
  const sorted = (outcomes: string[]) => outcomes.toSorted();

  // Ada enters lines a and b of each round on sheets 1 and 2; a race that restores a line removes it first.
  type Round = { a: string; b: string; line: number; removed: (...ids: string[]) => Promise<unknown> };
  type Race = (round: Round) => Promise<Promise<string>[]>;
  test.each<[what: string, race: Race, ...ends: [one: string, other: string][]]>([
    [
      "restore two lines of one voter",
      async ({ a, b, line, removed }) => {
        await removed(a);
        await enter("ada", `${a}-too`, [3, line], `V-${a}`);
        await removed(`${a}-too`, b);
        return [restore("max", a), restore("rex", `${a}-too`)];
      },
      ["restored", "duplicate"],
      ["duplicate", "restored"],
    ],
    [
      "restore a line and enter its voter again",
      async ({ a, line, removed }) => {
        await removed(a);
        return [restore("max", a), enter("bea", `${a}-again`, [3, line], `V-${a}`)];
      },
      ["restored", "duplicate"],
      ["duplicate", "accepted"],
    ],
    [
      "restore a line and enter another one in its place",
      async ({ a, line, removed }) => {
        await removed(a);
        return [restore("max", a), enter("bea", `${a}-again`, [1, line])];
      },
      ["restored", "line-taken"],
      ["line-taken", "accepted"],
    ],
    [
      "move a line and enter one there",
      async ({ a, line }) => [move("ada", a, 3, line), enter("bea", `${a}-there`, [3, line])],
      ["moved", "line-taken"],
      ["line-taken", "accepted"],
    ],
    [
      "move two lines to one place",
      async ({ a, b, line }) => [move("ada", a, 3, line), move("max", b, 3, line)],
      ["moved", "line-taken"],
      ["line-taken", "moved"],
    ],
    ["move one line", async ({ a, line }) => [move("ada", a, 3, line), move("max", a, 4, line)], ["moved", "moved"]],
  ])("of two people who %s, the first one wins, and the other gets the reason", async (_what, race, ...ends) => {
    for (const round of rounds) {
      const [a, b, line] = [`a${round}`, `b${round}`, round + 1];
      await enter("ada", a, [1, line]);
      await enter("ada", b, [2, line]);
      const removed = (...ids: string[]) => Promise.all(ids.map((id) => remove("max", id)));
      expect(ends).toContainEqual(await Promise.all(await race({ a, b, line, removed })));
    }
    const live = (await lines()).filter((line) => line.live);
    expect(new Set(live.map(({ sheet, line }) => `${sheet} ${line}`)).size).toBe(live.length);
    const signers = live.filter(({ verdict }) => verdict === "accepted").map(({ voter_id }) => voter_id);
    expect(new Set(signers).size).toBe(signers.length);
  });

  test("a sheet that is renumbered while lines are entered on both sheets moves completely or not at all", async () => {
    for (const round of rounds) {
      const [from, to] = [round * 10 + 1, round * 10 + 2];
      const ids = [1, 2, 3, 4].map((line) => ({ id: `${round} ${line}`, line }));
      await open("ada", from);
      for (const { id, line } of ids) await enter("ada", id, [from, line], `V-${round}-${line}`);
      const [renumbered, there, here] = await Promise.all([
        renumber("ada", from, to),
        enter("ada", `${round} there`, [to, 4], `V-${round}-there`),
        enter("ada", `${round} here`, [from, 5], `V-${round}-here`),
      ]);
      const places = await Promise.all(ids.map(async ({ id }) => (await lineNamed(id))?.sheet));
      const late = (await lineNamed(`${round} here`))?.sheet;
      expect(here).toBe("accepted");
      if (renumbered === "renumbered") {
        expect({ there, places }).toEqual({ there: "line-taken", places: ids.map(() => to) });
        // Lines entered on the old number afterwards keep that sheet.
        const numbers = (await sheets()).filter((number) => number > round * 10);
        expect(numbers).toEqual(late === from ? [from, to] : [to]);
      } else {
        expect({ renumbered, there, places }).toEqual({
          renumbered: "conflicts",
          there: "accepted",
          places: ids.map(() => from),
        });
        expect(late).toBe(from);
      }
    }
  });

  test("of two people who renumber a sheet, or two sheets to one number, each moves all lines or none", async () => {
    for (const round of rounds) {
      const [first, other, to, elsewhere] = [1, 2, 3, 4].map((number) => round * 10 + number);
      if (!first || !other || !to || !elsewhere) throw new Error("There is no number.");
      for (const [id, sheet] of [
        ["one", first],
        ["other", other],
      ] as const) {
        await open("ada", sheet);
        await enter("ada", `${id} ${round} a`, [sheet, 1], `V-${id}-${round}-a`);
        await enter("ada", `${id} ${round} b`, [sheet, id === "one" ? 2 : 3], `V-${id}-${round}-b`);
      }
      const outcomes = await Promise.all([renumber("ada", first, to), renumber("max", other, to)]);
      expect(sorted(outcomes)).toEqual(["conflicts", "renumbered"]);
      const left = outcomes[0] === "conflicts" ? first : other;
      expect(
        sorted(await Promise.all([renumber("ada", left, elsewhere), renumber("max", left, elsewhere + 1)])),
      ).toEqual(["not-found", "renumbered"]);
      const numbers = (await sheets()).filter((number) => number > round * 10);
      expect(numbers).toHaveLength(2);
      const sheetsOfLines = (await lines()).filter(({ sheet }) => sheet > round * 10).map(({ sheet }) => sheet);
      expect(sorted(sheetsOfLines.map(String))).toEqual(
        sorted(numbers.flatMap((number) => [String(number), String(number)])),
      );
    }
  });

  test("a sheet that is deleted while someone enters or restores a line on it exists if the line does", async () => {
    for (const round of rounds) {
      const [sheet, id] = [round + 1, `a${round}`];
      await open("ada", sheet);
      if (round % 2 === 0) {
        await enter("ada", id, [sheet, 1]);
        await remove("ada", id);
      }
      const put = () => (round % 2 === 0 ? restore("ada", id) : enter("ada", id, [sheet, 1]));
      const [deleted, stored] = await Promise.all([deleteSheet("bea", sheet), put()]);
      expect(["deleted", "not-empty"]).toContain(deleted);
      expect(["accepted", "restored"]).toContain(stored);
      expect(await sheets()).toContain(sheet);
    }
  });

  test("a storm of changes causes no error, and the history explains the place of each line", async () => {
    const random = seededRandom(7);
    const below = (limit: number) => Math.floor(random() * limit);
    const oneOf = <Item>(items: readonly Item[], other: Item): Item => items[below(items.length)] ?? other;
    const ids = Array.from({ length: 40 }, (_, index) => `storm ${index}`);
    const done: string[] = [];
    const place = (): [number, number] => [1 + below(4), 1 + below(12)];
    const step = async (who: string) => {
      const id = oneOf(ids, "storm 0");
      switch (below(8)) {
        case 0:
        case 1:
          return `enter ${await enter(who, id, place(), `V-${below(15)}`)}`;
        case 2:
          return `remove ${await remove(who, id)}`;
        case 3:
        case 4:
          return `restore ${await restore(who, id)}`;
        case 5:
          return `move ${await move(who, id, ...place())}`;
        case 6:
          return `renumber ${await renumber(who, 1 + below(4), 1 + below(8))}`;
        default:
          return below(2) === 0
            ? `delete ${await deleteSheet(who, 1 + below(8))}`
            : `open ${await open(who, 1 + below(8))}`;
      }
    };
    await Promise.all(
      Array.from({ length: 12 }, async () => {
        for (let turn = 0; turn < 250; turn++) done.push(await step("max"));
      }),
    );
    const outcomes = [
      "enter accepted",
      "enter duplicate",
      "enter line-taken",
      "remove removed",
      "restore restored",
      "restore duplicate",
      "restore line-taken",
      "move moved",
      "move line-taken",
      "move not-found",
      "renumber renumbered",
      "renumber conflicts",
      "delete deleted",
      "delete not-empty",
      "open opened",
    ];
    for (const outcome of outcomes) expect(done, outcome).toContain(outcome);

    const all = await lines();
    const live = all.filter((line) => line.live);
    expect(new Set(live.map(({ sheet, line }) => `${sheet} ${line}`)).size).toBe(live.length);
    const numbers = await sheets();
    for (const { sheet } of live) expect(numbers).toContain(sheet);
    const signers = live.filter(({ verdict }) => verdict === "accepted").map(({ voter_id }) => voter_id);
    expect(new Set(signers).size).toBe(signers.length);
    type Change = { line_id: string; kind: string; before: string; after: string };
    const history = await database.sql<Change>(
      `select line_id, kind, sheet_before || ' ' || line_before as before, sheet_after || ' ' || line_after as after
     from public.line_changes order by id`,
    );
    for (const { id, sheet, line, live } of all) {
      const changes = history.filter(({ line_id }) => line_id === id);
      const came = changes.reduce(
        (state, { kind, before, after }) => {
          expect(before).toBe(state.place);
          if (kind !== "moved") expect(kind === "restored").toBe(!state.live);
          return { place: after, live: kind === "moved" ? state.live : kind === "restored" };
        },
        { place: changes[0]?.before ?? `${sheet} ${line}`, live: true },
      );
      expect(came).toEqual({ place: `${sheet} ${line}`, live });
      expect(changes[0]?.before ?? `${sheet} ${line}`).toBe(enteredAt.get(id)?.join(" "));
    }
    expect(all.map(({ id }) => id).toSorted()).toEqual([...enteredAt.keys()].toSorted());
  }, 120_000);
});
