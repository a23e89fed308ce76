// Random work on few lines of few sheets, against a model of what the functions say.
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { seededRandom } from "../../../scripts/local-stack/seeded-random.ts";
import { inQuietWorld, insertUsers, uuidOf } from "../../support/access-world.ts";
import { callFunction } from "../../support/call-function.ts";
import { inDrill } from "../../support/in-drill.ts";
import { linePeople, lineWorld } from "../../support/line-world.ts";
import { openSqlSession, type SqlSession } from "../../support/sql-session.ts";

let database: SqlSession;
beforeAll(async () => {
  database = await openSqlSession();
  await insertUsers(database, linePeople);
});
afterAll(() => database.close());

type Line = { sheet: number; line: number; verdict: string; voter: string | null; by: string; live: boolean };
type Kept = Line & { removedBy: string | null; entered: Place };
type Place = { sheet: number; line: number };

/** What must come of each change, from the rules as they are told. */
function makeModel() {
  const lines = new Map<string, Kept>();
  const sheets = new Set<number>();
  const enters = (who: string) => ["ada", "bea", "max"].includes(who);
  const removes = (who: string) => ["rex", "max"].includes(who);
  const mayChange = (who: string, { by }: Line) => (by === who ? enters(who) : removes(who));
  const live = () => [...lines.values()].filter((line) => line.live);
  const isTaken = (at: Place) => live().some(({ sheet, line }) => sheet === at.sheet && line === at.line);
  const isOn = (number: number) => live().some(({ sheet }) => sheet === number);
  const hasSigned = (voter: string | null) =>
    live().some((line) => line.verdict === "accepted" && line.voter === voter);
  const refused = (who: string, line: Line | undefined) => {
    if (!enters(who) && !removes(who)) return "not-allowed";
    if (!line) return "not-found";
    return mayChange(who, line) ? null : "not-allowed";
  };

  const key = (
    who: string,
    id: string,
    { verdict, voter, ...at }: Place & { verdict: string; voter: string | null },
  ) => {
    if (!enters(who)) return "not-allowed";
    const known = lines.get(id);
    if (known) {
      const asked = known.verdict === verdict || (verdict === "accepted" && known.verdict === "duplicate");
      const isThere = known.entered.sheet === at.sheet && known.entered.line === at.line;
      if (known.by !== who || known.voter !== voter || !asked || !isThere) return "id-taken";
      if (!known.live) return "removed";
      return verdict === "accepted" ? known.verdict : "rejected";
    }
    if (isTaken(at)) return "line-taken";
    const stored = verdict === "accepted" && hasSigned(voter) ? "duplicate" : verdict;
    lines.set(id, { ...at, verdict: stored, voter, by: who, live: true, removedBy: null, entered: at });
    sheets.add(at.sheet);
    return verdict === "accepted" ? stored : "rejected";
  };
  const remove = (who: string, id: string, because: string | null) => {
    const line = lines.get(id);
    const refusal = refused(who, line);
    if (refusal || !line) return refusal;
    if (line.live && because === null && line.by !== who) return "reason-missing";
    if (line.live) Object.assign(line, { live: false, removedBy: who });
    return "removed";
  };
  const restore = (who: string, id: string) => {
    const line = lines.get(id);
    const refusal = refused(who, line);
    if (refusal || !line) return refusal;
    if (!line.live && line.removedBy !== who && !removes(who)) return "not-allowed";
    if (!line.live && isTaken(line)) return "line-taken";
    if (!line.live && line.verdict === "accepted" && hasSigned(line.voter)) return "duplicate";
    line.live = true;
    sheets.add(line.sheet);
    return "restored";
  };
  const move = (who: string, id: string, at: Place) => {
    const line = lines.get(id);
    const refusal = refused(who, line);
    if (refusal || !line) return refusal;
    if (!line.live) return "not-found";
    if ((line.sheet !== at.sheet || line.line !== at.line) && isTaken(at)) return "line-taken";
    Object.assign(line, at);
    sheets.add(at.sheet);
    return "moved";
  };
  const renumber = (who: string, from: number, to: number) => {
    if (!enters(who) && !removes(who)) return "not-allowed";
    if (!sheets.has(from) && (from === to || !isOn(from))) return "not-found";
    const onIt = [...lines.values()].filter(({ sheet }) => sheet === from);
    if (onIt.some((line) => line.live && !mayChange(who, line))) return "not-allowed";
    if (from === to) return "renumbered";
    if (onIt.some(({ line, live }) => live && isTaken({ sheet: to, line }))) return "conflicts";
    for (const line of onIt) line.sheet = to;
    sheets.add(to);
    sheets.delete(from);
    return "renumbered";
  };
  const discard = (who: string, number: number) => {
    if (!enters(who)) return "not-allowed";
    if (!sheets.has(number)) return "not-found";
    if (isOn(number)) return "not-empty";
    sheets.delete(number);
    return "discarded";
  };
  const open = (who: string, number: number) => {
    if (!enters(who)) return "not-allowed";
    sheets.add(number);
    return "opened";
  };
  return { lines, sheets, key, remove, restore, move, renumber, discard, open };
}

const answerSchema = z.looseObject({ outcome: z.string() });
const call = async (name: string, who: string, ...given: unknown[]) =>
  answerSchema.parse(await callFunction(database, name, [uuidOf(who), ...given])).outcome;
const inLakes = (name: string, who: string, ...given: unknown[]) => call(name, who, "north", "lakes", ...given);

test.each(Array.from({ length: inDrill(80, { else: 4 }) }, (_, seed) => seed))("of seed %i", (seed) =>
  inQuietWorld(database, lineWorld, async () => {
    const random = seededRandom(seed);
    const below = (limit: number) => Math.floor(random() * limit);
    const oneOf = (items: string[]) => items[below(items.length)] ?? "";
    const place = () => ({ sheet: 1 + below(3), line: 1 + below(4) });
    const model = makeModel();
    for (let turn = 0; turn < 60; turn++) {
      const who = oneOf(["ada", "ada", "bea", "max", "max", "rex", "vic"]);
      const id = oneOf(["a", "b", "c", "d", "e", "f", "g", "h"]);
      const at = place();
      const steps = [
        async () => {
          const verdict = oneOf(["accepted", "accepted", "accepted", "illegible", "blank"]);
          const known = model.lines.get(id);
          const again = below(2) === 0 ? known?.entered : undefined;
          const given = { ...(again ?? at), verdict, voter: verdict === "blank" ? null : `V-${below(4)}` };
          const { voter: voterId, ...line } = given;
          const sent = { id: uuidOf(id), team: "north", campaign: "lakes", ...line, voterId };
          return [model.key(who, id, given), await call("record_line", who, sent)];
        },
        async () => {
          const because = below(2) === 0 ? null : "a test";
          return [model.remove(who, id, because), await inLakes("remove_line", who, uuidOf(id), because)];
        },
        async () => [model.restore(who, id), await inLakes("restore_line", who, uuidOf(id))],
        async () => [model.move(who, id, at), await inLakes("move_line", who, uuidOf(id), at.sheet, at.line)],
        async () => {
          const to = 1 + below(4);
          return [model.renumber(who, at.sheet, to), await inLakes("renumber_sheet", who, at.sheet, to)];
        },
        async () => [model.discard(who, at.sheet), await inLakes("discard_sheet", who, at.sheet)],
        async () => [model.open(who, at.sheet), await inLakes("open_sheet", who, at.sheet)],
      ];
      const [expected, found] = (await steps[[0, 0, 0, 1, 1, 2, 2, 3, 4, 5, 6][below(11)] ?? 0]?.()) ?? [];
      expect(found, `turn ${turn}`).toBe(expected);
    }
    const rows = await database.sql<Line & { id: string }>(
      `select id, sheet, line, verdict, voter_id as voter, entered_by as by, removed_at is null as live
       from public.lines order by id`,
    );
    const modelled = [...model.lines].map(([id, { removedBy: _, entered: __, ...line }]) => ({
      ...{ id: uuidOf(id), ...line, by: uuidOf(line.by) },
    }));
    expect(rows).toEqual(modelled.sort((one, other) => (one.id < other.id ? -1 : 1)));
    const numbers = await database.sql<{ number: number }>("select number from public.sheets order by number");
    expect(numbers.map(({ number }) => number)).toEqual([...model.sheets].sort());
  }),
);
