// Lines keyed, removed, restored, moved and renumbered by many at once.
import postgres from "postgres";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { seededRandom } from "../../../scripts/local-stack/seeded-random.ts";
import { insertUsers, insertWorld, uuidOf } from "../../support/access-world.ts";
import { linePeople, lineWorld } from "../../support/line-world.ts";
import { openSqlSession, type SqlSession } from "../../support/sql-session.ts";

let database: SqlSession;
let connections: postgres.Sql;

beforeAll(async () => {
  database = await openSqlSession();
  connections = postgres(database.url, { max: 12, connection: { role: "service_role" }, onnotice: () => undefined });
  await insertUsers(database, linePeople);
  await insertWorld(database, lineWorld);
});
beforeEach(async () => {
  keyedAt.clear();
  await database.sql("truncate public.lines, public.sheets, public.line_changes, public.signer_changes");
});
afterAll(async () => {
  await connections.end();
  await database.close();
});

const answerSchema = z.object({ outcome: z.string(), again: z.boolean().optional() });
const keyedAt = new Map<string, [number, number]>();
/** Calls a function in north/lakes, as somebody. */
async function call(name: string, who: string, ...given: (string | number | null)[]) {
  const values = [uuidOf(who), "north", "lakes", ...given];
  const query = `select public.${name}(${values.map((_, index) => `$${index + 1}`)}) as answer`;
  const rows = await connections.unsafe(query, values);
  return answerSchema.parse(rows[0]?.answer).outcome;
}
async function key(who: string, id: string, [sheet, line]: [number, number], voterId = `V-${id}`) {
  const given = { id: uuidOf(id), team: "north", campaign: "lakes", sheet, line, verdict: "accepted", voterId };
  const query = "select public.record_line($1, $2::text::jsonb) as answer";
  const values = [uuidOf(who), JSON.stringify(given)];
  const rows = await connections.unsafe(query, values);
  const { outcome, again } = answerSchema.parse(rows[0]?.answer);
  if (again === false) keyedAt.set(uuidOf(id), [sheet, line]);
  return outcome;
}
const remove = (who: string, id: string) => call("remove_line", who, uuidOf(id), "a test");
const restore = (who: string, id: string) => call("restore_line", who, uuidOf(id));
const move = (who: string, id: string, sheet: number, line: number) => call("move_line", who, uuidOf(id), sheet, line);
const renumber = (who: string, from: number, to: number) => call("renumber_sheet", who, from, to);

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

test("of two who restore lines of one voter one does, and the other is told that she has signed", async () => {
  for (const round of rounds) {
    const [a, b] = [`a${round}`, `b${round}`];
    for (const [at, id] of [a, b].entries()) {
      await key("ada", id, [1, round * 2 + at + 1], `V-${round}`);
      await remove("max", id);
    }
    expect(sorted(await Promise.all([restore("max", a), restore("rex", b)]))).toEqual(["duplicate", "restored"]);
    const live = (await lines()).filter((line) => line.live && line.voter_id === `V-${round}`);
    expect(live).toHaveLength(1);
  }
});

test("of one who restores a line and one who keys her voter or its place anew, one is too late", async () => {
  for (const round of rounds) {
    const samePlace = round % 2 === 0;
    const [id, anew] = [`a${round}`, `b${round}`];
    await key("ada", id, [1, round + 1]);
    await remove("max", id);
    const [restored, keyed] = await Promise.all([
      restore("max", id),
      key("bea", anew, samePlace ? [1, round + 1] : [2, round + 1], samePlace ? `V-${anew}` : `V-${id}`),
    ]);
    const [lost, dup] = samePlace ? ["line-taken", "line-taken"] : ["duplicate", "duplicate"];
    expect([
      ["restored", dup],
      [lost, "accepted"],
    ]).toContainEqual([restored, keyed]);
  }
});

test("of one who moves a line and one who keys there, one is too late, and nothing is lost", async () => {
  for (const round of rounds) {
    const [id, there] = [`a${round}`, `b${round}`];
    await key("ada", id, [1, round + 1]);
    const outcomes = await Promise.all([move("ada", id, 2, round + 1), key("bea", there, [2, round + 1])]);
    expect([
      ["moved", "line-taken"],
      ["line-taken", "accepted"],
    ]).toContainEqual(outcomes);
    const stood = outcomes[0] === "moved" ? [2, undefined] : [1, 2];
    expect([(await lineNamed(id))?.sheet, (await lineNamed(there))?.sheet]).toEqual(stood);
  }
});

test("of two who move a line, or two lines to one place, the last one or the first one wins", async () => {
  for (const round of rounds) {
    const [a, b] = [`a${round}`, `b${round}`];
    await key("ada", a, [1, round + 1]);
    await key("ada", b, [2, round + 1]);
    expect(sorted(await Promise.all([move("ada", a, 3, round + 1), move("max", b, 3, round + 1)]))).toEqual([
      "line-taken",
      "moved",
    ]);
    expect(await Promise.all([move("ada", a, 4, round + 1), move("max", a, 5, round + 1)])).toEqual(["moved", "moved"]);
    expect([4, 5]).toContain((await lineNamed(a))?.sheet);
  }
});

test("a sheet that is renumbered while lines are keyed on both is moved whole or not at all", async () => {
  for (const round of rounds) {
    const [from, to] = [round * 10 + 1, round * 10 + 2];
    const ids = [1, 2, 3, 4].map((line) => ({ id: `${round} ${line}`, line }));
    await call("open_sheet", "ada", from);
    for (const { id, line } of ids) await key("ada", id, [from, line], `V-${round}-${line}`);
    const [renumbered, there, here] = await Promise.all([
      renumber("ada", from, to),
      key("ada", `${round} there`, [to, 4], `V-${round}-there`),
      key("ada", `${round} here`, [from, 5], `V-${round}-here`),
    ]);
    const places = await Promise.all(ids.map(async ({ id }) => (await lineNamed(id))?.sheet));
    const late = (await lineNamed(`${round} here`))?.sheet;
    expect(here).toBe("accepted");
    if (renumbered === "renumbered") {
      expect({ there, places }).toEqual({ there: "line-taken", places: ids.map(() => to) });
      // What was keyed on the old number after it keeps that sheet.
      const numbers = (await sheets()).filter((number) => number > round * 10);
      expect(numbers).toEqual(late === from ? [from, to] : [to]);
    } else {
      expect({ renumbered, there, places }).toEqual({
        ...{ renumbered: "conflicts", there: "accepted", places: ids.map(() => from) },
      });
      expect(late).toBe(from);
    }
  }
});

test("of two who renumber a sheet, or two sheets as one, each moves all or nothing", async () => {
  for (const round of rounds) {
    const [one, other, to, elsewhere] = [1, 2, 3, 4].map((number) => round * 10 + number);
    if (!one || !other || !to || !elsewhere) throw new Error("There is no number.");
    for (const [id, sheet] of [
      ["one", one],
      ["other", other],
    ] as const) {
      await call("open_sheet", "ada", sheet);
      await key("ada", `${id} ${round} a`, [sheet, 1], `V-${id}-${round}-a`);
      await key("ada", `${id} ${round} b`, [sheet, id === "one" ? 2 : 3], `V-${id}-${round}-b`);
    }
    const outcomes = await Promise.all([renumber("ada", one, to), renumber("max", other, to)]);
    expect(sorted(outcomes)).toEqual(["conflicts", "renumbered"]);
    const left = outcomes[0] === "conflicts" ? one : other;
    expect(sorted(await Promise.all([renumber("ada", left, elsewhere), renumber("max", left, elsewhere + 1)]))).toEqual(
      ["not-found", "renumbered"],
    );
    const numbers = (await sheets()).filter((number) => number > round * 10);
    expect(numbers).toHaveLength(2);
    const standing = (await lines()).filter(({ sheet }) => sheet > round * 10).map(({ sheet }) => sheet);
    expect(sorted(standing.map(String))).toEqual(sorted(numbers.flatMap((number) => [String(number), String(number)])));
  }
});

test("a sheet that is discarded while somebody keys on it or restores a line there is there whenever the line is", async () => {
  for (const round of rounds) {
    const [sheet, id] = [round + 1, `a${round}`];
    await call("open_sheet", "ada", sheet);
    if (round % 2 === 0) {
      await key("ada", id, [sheet, 1]);
      await remove("ada", id);
    }
    const put = () => (round % 2 === 0 ? restore("ada", id) : key("ada", id, [sheet, 1]));
    const [discarded, stands] = await Promise.all([call("discard_sheet", "bea", sheet), put()]);
    expect(["discarded", "not-empty"]).toContain(discarded);
    expect(["accepted", "restored"]).toContain(stands);
    expect(await sheets()).toContain(sheet);
  }
});

test("a storm of changes ends in no error, and the history tells how each line came to stand where it stands", async () => {
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
        return `key ${await key(who, id, place(), `V-${below(15)}`)}`;
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
          ? `discard ${await call("discard_sheet", who, 1 + below(8))}`
          : `open ${await call("open_sheet", who, 1 + below(8))}`;
    }
  };
  await Promise.all(
    Array.from({ length: 12 }, async () => {
      for (let turn = 0; turn < 250; turn++) done.push(await step("max"));
    }),
  );
  const outcomes = [
    ...["key accepted", "key duplicate", "key line-taken", "remove removed", "restore restored", "restore duplicate"],
    ...["restore line-taken", "move moved", "move line-taken", "move not-found", "renumber renumbered"],
    ...["renumber conflicts", "discard discarded", "discard not-empty", "open opened"],
  ];
  for (const outcome of outcomes) expect(done, outcome).toContain(outcome);

  const stood = await lines();
  const live = stood.filter((line) => line.live);
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
  for (const { id, sheet, line, live } of stood) {
    const changes = history.filter(({ line_id }) => line_id === id);
    const came = changes.reduce(
      (at, { kind, before, after }) => {
        expect(before).toBe(at.place);
        if (kind !== "moved") expect(kind === "restored").toBe(!at.live);
        return { place: after, live: kind === "moved" ? at.live : kind === "restored" };
      },
      { place: changes[0]?.before ?? `${sheet} ${line}`, live: true },
    );
    expect(came).toEqual({ place: `${sheet} ${line}`, live });
    expect(changes[0]?.before ?? `${sheet} ${line}`).toBe(keyedAt.get(id)?.join(" "));
  }
  expect(stood.map(({ id }) => id).toSorted()).toEqual([...keyedAt.keys()].toSorted());
}, 120_000);
