// Random changes of few lines on few sheets by all kinds of people, against a model of the functions.
import { expect, test } from "vitest";
import { z } from "zod";
import { verdicts } from "../../../lib/signatures/verdicts.ts";
import { seededRandom } from "../../../scripts/demo-data/seeded-random.ts";
import { insertUsers, inWorldWithoutTriggers, uuidOf, type World } from "../../support/access-world.ts";
import { callFunction } from "../../support/call-function.ts";
import { inDrill } from "../../support/in-drill.ts";
import { linePeople, lineWorld } from "../../support/line-world.ts";
import { setUpSqlSession } from "../../support/sql-session.ts";

const database = await setUpSqlSession();
await insertUsers(database, linePeople);

type Where = "north lakes" | "south lakes" | "north rivers";
type Place = { sheet: number; line: number };
type Entered = Place & { where: Where; verdict: string; voter: string | null; signedOn: string | null };
type Line = Entered & { by: string; live: boolean; removedBy: string | null; reason: string | null; entered: Place };
type Change = { id: string; kind: string; by: string; reason: string | null; before: Place; after: Place };
const places: [Where, ...Where[]] = ["north lakes", "south lakes", "north rivers"];
const campaignOf = (where: Where) => where.slice(6);

const enterers: Record<Where, string[]> = {
  "north lakes": ["ada", "bea", "max"],
  "south lakes": ["ada", "sam"],
  "north rivers": ["ada", "oda"],
};
const removers: Record<Where, string[]> = {
  "north lakes": ["rex", "max"],
  "south lakes": ["sam"],
  "north rivers": ["oda"],
};
// Ada enters in all three places.
const holds = { user_id: "ada", permission_set_id: "enter" };
const world: World = {
  ...lineWorld,
  team_users: [...lineWorld.team_users, { user_id: "ada", team_id: "south", role_id: "plain", status: "active" }],
  campaign_user_team_sets: [
    ...lineWorld.campaign_user_team_sets,
    { ...holds, team_id: "south", campaign_id: "lakes" },
    { ...holds, team_id: "north", campaign_id: "rivers" },
  ],
};

/** The outcome of each change by the rules. */
function makeModel() {
  const lines = new Map<string, Line>();
  const sheets = new Set<string>();
  const history: Change[] = [];
  const facts = { archived: false, startsOn: null as string | null, endsOn: null as string | null }; // of the campaign lakes
  const enters = (who: string, where: Where) => enterers[where].includes(who);
  const removes = (who: string, where: Where) => removers[where].includes(who);
  const mayChange = (who: string, { by, where }: Line) => (by === who ? enters(who, where) : removes(who, where));
  const live = (where: Where) => [...lines.values()].filter((line) => line.live && line.where === where);
  const isTaken = (where: Where, target: Place) =>
    live(where).some(({ sheet, line }) => sheet === target.sheet && line === target.line);
  const isOn = (where: Where, number: number) => live(where).some(({ sheet }) => sheet === number);
  const isArchived = (where: Where) => facts.archived && campaignOf(where) === "lakes";
  const hasSigned = ({ where, voter }: Entered) =>
    [...lines.values()].some(
      (line) =>
        line.live &&
        line.verdict === "accepted" &&
        line.voter === voter &&
        campaignOf(line.where) === campaignOf(where),
    );
  const isOutside = ({ where, verdict, signedOn }: Entered) =>
    verdict === "accepted" &&
    campaignOf(where) === "lakes" &&
    signedOn !== null &&
    (signedOn < (facts.startsOn ?? "") || signedOn > (facts.endsOn ?? "9"));
  const lineOf = (who: string, where: Where, id: string) => {
    if (!enters(who, where) && !removes(who, where)) return "not-allowed";
    const line = lines.get(id);
    if (line?.where !== where) return "not-found";
    return mayChange(who, line) ? line : "not-allowed";
  };
  const start = (where: Where, number: number) => void sheets.add(`${where} ${number}`);
  const placeOf = ({ sheet, line }: Place) => ({ sheet, line });
  const note = (id: string, by: string, kind: string, reason: string | null, from: Place, to = from) =>
    void history.push({ id, kind, by, reason, before: placeOf(from), after: placeOf(to) });

  const enter = (who: string, id: string, input: Entered) => {
    const { where, verdict } = input;
    if (!enters(who, where)) return "not-allowed";
    const known = lines.get(id);
    if (known) {
      const isSameVerdict = known.verdict === verdict || (verdict === "accepted" && known.verdict === "duplicate");
      const same = { ...known, ...known.entered };
      const isSame = (["where", "sheet", "line", "voter", "signedOn"] as const).every(
        (part) => same[part] === input[part],
      );
      if (known.by !== who || !isSameVerdict || !isSame) return "id-taken";
      if (!known.live) return "removed";
      return verdict === "accepted" ? known.verdict : "rejected";
    }
    if (isArchived(where)) return "archived";
    if (isTaken(where, input)) return "line-taken";
    if (isOutside(input)) return "outside-dates";
    const stored = verdict === "accepted" && hasSigned(input) ? "duplicate" : verdict;
    const entered = { sheet: input.sheet, line: input.line };
    lines.set(id, { ...input, verdict: stored, by: who, live: true, removedBy: null, reason: null, entered });
    start(where, input.sheet);
    return verdict === "accepted" ? stored : "rejected";
  };
  const remove = (who: string, where: Where, id: string, reason: string | null) => {
    const line = lineOf(who, where, id);
    if (typeof line === "string") return line;
    const trimmed = reason?.trim() || null;
    if (line.live && trimmed === null && line.by !== who) return "reason-missing";
    if (line.live) {
      Object.assign(line, { live: false, removedBy: who, reason: trimmed });
      note(id, who, trimmed === null && line.by === who ? "undone" : "removed", trimmed, line);
    }
    return "removed";
  };
  const restore = (who: string, where: Where, id: string, reason: string | null) => {
    const line = lineOf(who, where, id);
    if (typeof line === "string") return line;
    if (!line.live) {
      if (line.removedBy !== who && !removes(who, where)) return "not-allowed";
      if (isArchived(where)) return "archived";
      if (isTaken(where, line)) return "line-taken";
      if (isOutside(line)) return "outside-dates";
      if (line.verdict === "accepted" && hasSigned(line)) return "duplicate";
      note(id, who, "restored", reason?.trim() || null, line);
    }
    Object.assign(line, { live: true, removedBy: null, reason: null });
    start(where, line.sheet);
    return "restored";
  };
  const move = (who: string, where: Where, id: string, target: Place) => {
    const line = lineOf(who, where, id);
    if (typeof line === "string") return line;
    if (!line.live) return "not-found";
    if (line.sheet !== target.sheet || line.line !== target.line) {
      if (isArchived(where)) return "archived";
      if (isTaken(where, target)) return "line-taken";
      note(id, who, "moved", null, line, target);
    }
    Object.assign(line, target);
    start(where, target.sheet);
    return "moved";
  };
  const renumber = (who: string, where: Where, from: number, to: number) => {
    if (!enters(who, where) && !removes(who, where)) return "not-allowed";
    if (isArchived(where)) return "archived";
    if (!sheets.has(`${where} ${from}`) && (from === to || !isOn(where, from))) return "not-found";
    const onIt = [...lines].filter(([, line]) => line.where === where && line.sheet === from);
    if (onIt.some(([, line]) => line.live && !mayChange(who, line))) return "not-allowed";
    if (from === to) return "renumbered";
    if (onIt.some(([, { line, live }]) => live && isTaken(where, { sheet: to, line }))) return "conflicts";
    for (const [id, line] of onIt) {
      note(id, who, "moved", null, line, { ...line, sheet: to });
      line.sheet = to;
    }
    start(where, to);
    sheets.delete(`${where} ${from}`);
    return "renumbered";
  };
  const deleteSheet = (who: string, where: Where, number: number) => {
    if (!enters(who, where)) return "not-allowed";
    if (!sheets.has(`${where} ${number}`)) return "not-found";
    if (isOn(where, number)) return "not-empty";
    sheets.delete(`${where} ${number}`);
    return "deleted";
  };
  const open = (who: string, where: Where, number: number) => {
    if (!enters(who, where)) return "not-allowed";
    if (isArchived(where)) return "archived";
    start(where, number);
    return "opened";
  };
  const change = (who: string, where: Where, number: number, done: "closed" | "saved") => {
    if (!enters(who, where)) return "not-allowed";
    if (done === "saved" && isArchived(where)) return "archived";
    return sheets.has(`${where} ${number}`) ? done : "not-found";
  };
  return { lines, sheets, history, facts, enter, remove, restore, move, renumber, deleteSheet, open, change };
}

const answerSchema = z.looseObject({ outcome: z.string() });
const call = async (name: string, who: string, ...args: unknown[]) =>
  answerSchema.parse(await callFunction(database, name, [uuidOf(who), ...args])).outcome;

const readRows = () =>
  database.sql<Omit<Line, "entered"> & { id: string }>(
    `select id, team_id || ' ' || campaign_id as "where", sheet, line, verdict, voter_id as voter, signed_on::text as "signedOn",
       entered_by as by, removed_at is null as live, removed_by as "removedBy", removed_because as reason
     from public.lines order by id`,
  );
const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
const fingerprint = async () =>
  database.sql(
    `select (select md5(string_agg(l::text, '' order by id)) from public.lines l) as lines,
       (select md5(string_agg(s::text, '' order by id)) from public.sheets s) as sheets,
       (select md5(string_agg(c::text, '' order by id)) from public.line_changes c) as history,
       (select max(n.id) from public.signer_changes n) as signer_changes, (select max(a.id) from public.audit_log a) as log`,
  );
const entering = ["enter", "enter", "enter", "enter", "enter", "enter", "remove", "remove", "remove"] as const;
const changing = [
  "restore",
  "restore",
  "restore",
  "move",
  "move",
  "renumber",
  "renumber",
  "deleteSheet",
  "deleteSheet",
] as const;
const names = [...entering, ...changing, "open", "close", "write", "facts"] as const;
const reasons = [null, "", "  ", "a test", " a slip "] as const;
const days = ["2026-10-31", "2026-11-01", "2026-11-30", "2026-12-01"];

test.each(Array.from({ length: inDrill(80, { else: 6 }) }, (_, seed) => seed))(
  "changes of seed %i have the outcomes of the model",
  (seed) =>
    inWorldWithoutTriggers(database, world, async () => {
      const random = seededRandom(seed);
      const below = (limit: number) => Math.floor(random() * limit);
      const oneOf = <Item>(items: readonly [Item, ...Item[]]) => items[below(items.length)] ?? items[0];
      const place = () => ({ sheet: 1 + below(below(2) === 0 ? 2 : 7), line: 1 + below(4) });
      const model = makeModel();
      // Each person has a line, also without permission to enter, that is live, undone by them or removed by SQL.
      for (const [index, by] of linePeople.entries()) {
        const position = { sheet: 4, line: index + 1 };
        const removedBy = index % 3 === 0 ? by : null;
        const own = { where: "north lakes", verdict: "other", voter: null, signedOn: null, reason: null } as const;
        model.lines.set(`own of ${by}`, {
          ...own,
          ...position,
          entered: position,
          by,
          live: index % 3 === 1,
          removedBy,
        });
        await database.sql(
          `insert into public.lines (id, team_id, campaign_id, sheet, line, verdict, entered_by, removed_at, removed_by)
         values ($1, 'north', 'lakes', 4, $2, 'other', $3, case when $4 then null else now() end, $5)`,
          [uuidOf(`own of ${by}`), position.line, uuidOf(by), index % 3 === 1, removedBy && uuidOf(removedBy)],
        );
      }
      for (let turn = 0; turn < 200; turn++) {
        const rarely = () => below(6) === 0;
        const who = rarely()
          ? oneOf(["vic", "sue", "nell"])
          : oneOf(["ada", "ada", "bea", "max", "max", "rex", "oda", "sam"]);
        const home: Where = who === "sam" ? "south lakes" : who === "oda" ? "north rivers" : "north lakes";
        const where = rarely() || (who === "ada" && rarely()) ? oneOf(places) : home;
        const [team = "", campaign = ""] = where.split(" ");
        const name = oneOf(names);
        const there = [...model.lines].filter(
          ([id, line]) =>
            (line.where === where || rarely()) &&
            (!id.startsWith("own") || rarely()) &&
            (line.live !== (name === "restore") || rarely()),
        );
        const newId = `of turn ${turn}`;
        const id =
          (name === "enter" && below(2) === 0) || rarely() ? newId : oneOf([newId, ...there.map(([id]) => id)]);
        const known = [...model.sheets]
          .filter((sheet) => sheet.startsWith(where))
          .map((sheet) => Number(sheet.split(" ")[2]));
        const number = oneOf([1 + below(7), ...known]);
        const position = place();
        const inPlace = (name: string, ...args: unknown[]) => call(name, who, team, campaign, ...args);
        const steps = {
          async enter() {
            const verdict = oneOf([
              "accepted",
              "accepted",
              "accepted",
              "accepted",
              "accepted",
              "accepted",
              ...verdicts,
            ]);
            const known = model.lines.get(id);
            const voter = verdict === "blank" ? null : `V-${below(4)}`;
            const fresh: Entered = {
              where: known ? oneOf(places) : where,
              ...position,
              verdict,
              voter,
              signedOn: oneOf([null, ...days]),
            };
            // Sent again, unchanged or with one different part.
            const parts = ["where", "where", "sheet", "line", "verdict", "verdict", "voter", "signedOn"] as const;
            const part = oneOf<(typeof parts)[number] | "none">([...parts, "none", "none", "none", "none"]);
            const { where: at0, verdict: verdict0, voter: voter0, signedOn: signedOn0 } = known ?? fresh;
            const before: Entered = {
              where: at0,
              ...(known?.entered ?? position),
              voter: voter0,
              signedOn: signedOn0,
              verdict: verdict0 === "duplicate" ? "accepted" : verdict0,
            };
            const input = known ? { ...before, ...(part !== "none" && { [part]: fresh[part] }) } : fresh;
            const actor = known && below(4) > 0 ? known.by : who;
            if (input.verdict === "blank") input.voter = null;
            if (input.verdict === "accepted") input.voter ??= "V-0";
            const [p_team, p_campaign] = input.where.split(" ");
            const { sheet, line, voter: voterId, signedOn } = input;
            const sent = { id: uuidOf(id), team: p_team, campaign: p_campaign, sheet, line, signedOn, voterId };
            const expected = model.enter(actor, id, input);
            return [expected, await call("record_line", actor, { ...sent, verdict: input.verdict })];
          },
          async remove() {
            const reason = oneOf(reasons);
            return [model.remove(who, where, id, reason), await inPlace("remove_line", uuidOf(id), reason)];
          },
          async restore() {
            const reason = oneOf(reasons);
            return [model.restore(who, where, id, reason), await inPlace("restore_line", uuidOf(id), reason)];
          },
          move: async () => [
            model.move(who, where, id, position),
            await inPlace("move_line", uuidOf(id), position.sheet, position.line),
          ],
          async renumber() {
            const to = 1 + below(5);
            return [model.renumber(who, where, number, to), await inPlace("renumber_sheet", number, to)];
          },
          deleteSheet: async () => [model.deleteSheet(who, where, number), await inPlace("delete_sheet", number)],
          open: async () => [model.open(who, where, number), await inPlace("open_sheet", number, null, true)],
          close: async () => [model.change(who, where, number, "closed"), await inPlace("close_sheet", number)],
          write: async () => [
            model.change(who, where, number, "saved"),
            await inPlace("save_sheet_details", number, { signatureCount: turn }),
          ],
          async facts() {
            const [startsOn, endsOn] = [oneOf([null, "2026-11-01"]), oneOf([null, "2026-11-30"])];
            Object.assign(model.facts, { archived: below(5) === 0, startsOn, endsOn });
            await database.sql(
              `update public.campaigns set starts_on = $1, ends_on = $2, archived_at = case when $3 then now() end
             where id = 'lakes'`,
              [startsOn, endsOn, model.facts.archived],
            );
            return ["", ""];
          },
        };
        const state = () => JSON.stringify([[...model.lines], [...model.sheets]]);
        const [modelBefore, before] = [state(), await fingerprint()];
        const [expected = "", actual = ""] = await steps[name]();
        expect(actual, `turn ${turn}, ${name} by ${who} in ${where}`).toBe(expected);
        const changed = state() !== modelBefore || ["facts", "opened", "closed", "saved", ""].includes(expected);
        if (!changed) expect(await fingerprint(), `turn ${turn}, ${name}: ${expected}`).toEqual(before);
      }
      const modelled = [...model.lines].map(([id, { entered: _, ...line }]) => ({
        id: uuidOf(id),
        ...line,
        by: uuidOf(line.by),
        removedBy: line.removedBy && uuidOf(line.removedBy),
      }));
      expect(await readRows()).toEqual(modelled.sort(byId));
      const changes = await database.sql(
        `select line_id as id, kind, actor_id as by, reason, json_build_object('sheet', sheet_before, 'line', line_before) as before,
         json_build_object('sheet', sheet_after, 'line', line_after) as after
       from public.line_changes c order by c.line_id, c.id`,
      );
      const expected = model.history.map(({ id, by, ...change }) => ({ id: uuidOf(id), by: uuidOf(by), ...change }));
      expect(changes).toEqual(expected.sort(byId));
      const rows = await database.sql<{ name: string }>(
        "select team_id || ' ' || campaign_id || ' ' || number as name from public.sheets",
      );
      expect(rows.map(({ name }) => name).sort()).toEqual([...model.sheets].sort());
    }),
);
