import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { insertUsers, inWorld, uuidOf } from "../../support/access-world.ts";
import { linePeople, lineWorld } from "../../support/line-world.ts";
import { openTestDatabase, type TestDatabase } from "../../support/test-database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
  await insertUsers(database, linePeople);
});
afterAll(() => database.close());

// Each test in a world that is gone afterwards; within one transaction, so all of it happens at one moment.
const inLines = (run: () => Promise<void>) => inWorld(database, lineWorld, run);

// As REST calls it: the functions have the rights of the service role.
async function call(name: string, ...given: unknown[]) {
  await database.sql("set local role service_role");
  const values = given.map((value) => (typeof value === "object" && value !== null ? JSON.stringify(value) : value));
  const places = given.map((value, at) => `$${at + 1}${typeof value === "object" && value ? "::text::jsonb" : ""}`);
  const [row] = await database.sql<{ answer: unknown }>(`select public.${name}(${places}) as answer`, values);
  await database.sql("reset role");
  return row?.answer;
}

const ids = { a: uuidOf("line a"), b: uuidOf("line b"), c: uuidOf("line c") };
const line = (given: Record<string, unknown> = {}) => ({
  id: ids.a,
  teamId: "north",
  campaignId: "lakes",
  voterId: "V-1",
  firstName: "Ann",
  lastName: "Lee",
  city: "Lund",
  county: null,
  zip: "12345",
  sheet: 3,
  line: 9,
  signedOn: "2026-11-02",
  ...given,
});
const rejectedLine = (given: Record<string, unknown> = {}) => ({
  id: ids.c,
  teamId: "north",
  campaignId: "lakes",
  sheet: 3,
  line: 10,
  verdict: "illegible",
  voterId: null,
  note: "a coffee stain",
  ...given,
});
const record = (who: string, given?: Record<string, unknown>) => call("record_signature", uuidOf(who), line(given));
const reject = (who: string, given?: Record<string, unknown>) =>
  call("record_rejected_line", uuidOf(who), rejectedLine(given));
const remove = (who: string, id: string, team = "north", campaign = "lakes") =>
  call("remove_line", uuidOf(who), team, campaign, id);

async function all() {
  const [row] = await database.sql<{ rows: Record<string, Record<string, unknown>[]> }>(
    `select jsonb_build_object(
       'signatures', (select coalesce(jsonb_agg(to_jsonb(s) order by s.id), '[]') from public.signatures s),
       'rejected', (select coalesce(jsonb_agg(to_jsonb(r) order by r.id), '[]') from public.rejected_lines r),
       'sheets', (select coalesce(jsonb_agg(to_jsonb(h) order by h.team_id, h.number), '[]') from public.sheets h),
       'notes', (select coalesce(jsonb_agg(to_jsonb(n) - 'id' order by n.id), '[]') from public.signer_changes n)) as rows`,
  );
  if (!row) throw new Error("There is no answer.");
  return row.rows;
}
const accepted = { outcome: "accepted", changeNumber: expect.any(Number), enteredAt: expect.any(String) };
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const notAllowed = { outcome: "not-allowed" };
const idTaken = { outcome: "id-taken" };

describe("record_signature", () => {
  test("accepts a line, stores what was given, and notes the change", () =>
    inLines(async () => {
      const answer = await record("ada");
      expect(answer).toEqual({ ...accepted, enteredAt: expect.stringMatching(isoTime), again: false });
      const { changeNumber } = answer as { changeNumber: number };
      const { signatures, rejected, notes } = await all();
      expect(signatures).toEqual([
        {
          id: ids.a,
          team_id: "north",
          campaign_id: "lakes",
          voter_id: "V-1",
          first_name: "Ann",
          last_name: "Lee",
          city: "Lund",
          county: null,
          zip: "12345",
          sheet: 3,
          line: 9,
          signed_on: "2026-11-02",
          entered_by: uuidOf("ada"),
          entered_at: expect.any(String),
          removed_at: null,
          removed_by: null,
          change_number: changeNumber,
        },
      ]);
      expect(rejected).toEqual([]);
      expect(notes).toEqual([
        { campaign_id: "lakes", voter_id: "V-1", change_number: changeNumber, created_at: expect.any(String) },
      ]);
    }));

  test.each(["rex", "vic", "sue", "oda", "sam", "nell"])("stores nothing for %s, who may not enter there", (who) =>
    inLines(async () => {
      const before = await all();
      expect(await record(who)).toEqual(notAllowed);
      expect(await all()).toEqual(before);
    }),
  );

  test.each([
    ["a team that is not hers", { teamId: "south" }],
    ["a campaign where she holds nothing", { campaignId: "rivers" }],
    ["a team that is not there", { teamId: "nowhere" }],
    ["a campaign that is not there", { campaignId: "nowhere" }],
  ])("stores nothing in %s", (_, changed) =>
    inLines(async () => {
      const before = await all();
      expect(await record("ada", changed)).toEqual(notAllowed);
      expect(await all()).toEqual(before);
    }),
  );

  test("answers a duplicate with the line of her own team, and keeps it for the counts", () =>
    inLines(async () => {
      await record("ada");
      const before = await all();
      expect(await record("bea", { id: ids.b, sheet: 7, line: 1 })).toEqual({
        outcome: "duplicate",
        of: { ownTeam: true, enteredAt: expect.stringMatching(isoTime), enteredBy: "ada", sheet: 3, line: 9 },
      });
      const after = await all();
      expect(after).toEqual({ ...before, rejected: after.rejected });
      expect(after.rejected).toEqual([
        {
          id: ids.b,
          team_id: "north",
          campaign_id: "lakes",
          sheet: 7,
          line: 1,
          verdict: "duplicate",
          voter_id: "V-1",
          note: null,
          entered_by: uuidOf("bea"),
          entered_at: expect.any(String),
          removed_at: null,
        },
      ]);
    }));

  test("tells of another team's line nothing but that there is one", () =>
    inLines(async () => {
      await record("sam", { teamId: "south" });
      expect(await record("ada", { id: ids.b })).toEqual({ outcome: "duplicate", of: { ownTeam: false } });
    }));

  test("names nobody whose account is gone", () =>
    inLines(async () => {
      await record("ada");
      await database.sql("delete from auth.users where id = $1", [uuidOf("ada")]);
      expect(await record("bea", { id: ids.b })).toEqual({
        outcome: "duplicate",
        of: { ownTeam: true, enteredAt: expect.any(String), sheet: 3, line: 9 },
      });
    }));

  test("accepts the same voter in another campaign", () =>
    inLines(async () => {
      await record("ada");
      expect(await record("oda", { id: ids.b, campaignId: "rivers" })).toEqual({ ...accepted, again: false });
    }));

  test("answers a line that is sent again as it did, and stores nothing more", () =>
    inLines(async () => {
      const first = await record("ada");
      const duplicate = await record("bea", { id: ids.b });
      const before = await all();
      expect(await record("ada")).toEqual({ ...(first as object), again: true });
      expect(await record("ada", { sheet: 99, firstName: "Another" })).toEqual({ ...(first as object), again: true });
      expect(await record("bea", { id: ids.b })).toEqual(duplicate);
      expect(await all()).toEqual(before);
    }));

  test("answers removed when an undone line is sent again, also when the voter has been entered anew", () =>
    inLines(async () => {
      const first = (await record("ada")) as { changeNumber: number };
      const undone = (await remove("ada", ids.a)) as { changeNumber: number };
      expect(undone.changeNumber).toBeGreaterThan(first.changeNumber);
      const removed = { outcome: "removed", enteredAt: expect.any(String), again: true };
      expect(await record("ada")).toEqual({ ...removed, changeNumber: undone.changeNumber });
      expect(await record("ada", { id: ids.b })).toEqual({ ...accepted, again: false });
      const before = await all();
      expect(await record("ada")).toEqual({ ...removed, changeNumber: undone.changeNumber });
      expect(await all()).toEqual(before);
    }));

  test("answers removed when an undone duplicate is sent again", () =>
    inLines(async () => {
      await record("ada");
      await record("bea", { id: ids.b });
      await remove("bea", ids.b);
      await remove("ada", ids.a);
      const before = await all();
      expect(await record("bea", { id: ids.b })).toEqual({ outcome: "removed" });
      expect(await all()).toEqual(before);
    }));

  test("a resend tells nothing to one who may not enter any more", () =>
    inLines(async () => {
      await record("ada");
      await database.sql("update public.team_users set status = 'suspended' where user_id = $1", [uuidOf("ada")]);
      expect(await record("ada")).toEqual(notAllowed);
    }));

  test.each<[what: string, who: string, changed: Record<string, unknown>]>([
    ["another voter", "ada", { voterId: "V-2" }],
    ["another campaign", "oda", { campaignId: "rivers" }],
    ["another team", "sam", { teamId: "south" }],
    ["another person", "bea", {}],
    ["another person and voter", "bea", { voterId: "V-2" }],
  ])("does not take an id for %s, accepted or duplicate before", (_, who, changed) =>
    inLines(async () => {
      await record("ada");
      await record("max", { id: ids.b });
      const before = await all();
      expect(await record(who, changed)).toEqual(idTaken);
      expect(await record(who === "ada" ? "max" : who, { ...changed, id: ids.b })).toEqual(idTaken);
      expect(await all()).toEqual(before);
    }),
  );

  test("does not take the id of a line that was rejected for another reason", () =>
    inLines(async () => {
      await reject("ada", { voterId: "V-1" });
      const before = await all();
      expect(await record("ada", { id: ids.c })).toEqual(idTaken);
      expect(await all()).toEqual(before);
    }));

  test.each([
    ["an hour ago", "1 hour", "1 hour"],
    ["in a minute", "-1 minute", "0"],
    ["eight days ago", "8 days", "0"],
  ])("counts a line that says it was keyed %s as keyed %2$s ago", (_, given, stored) =>
    inLines(async () => {
      const [{ at } = { at: "" }] = await database.sql<{ at: string }>(
        "select private.utc(now() - $1::interval) as at",
        [given],
      );
      await record("ada", { enteredAt: at });
      const rows = await database.sql(
        "select abs(extract(epoch from now() - $1::interval - entered_at)) < 0.01 as so from public.signatures",
        [stored],
      );
      expect(rows).toEqual([{ so: true }]);
    }),
  );

  test("reads a line that arrives as the text of one", () =>
    inLines(async () => {
      const [row] = await database.sql<{ answer: unknown }>(
        "select public.record_signature($1::uuid, to_jsonb($2::text)) as answer",
        [uuidOf("ada"), JSON.stringify(line())],
      );
      expect(row?.answer).toEqual({ ...accepted, again: false });
      const [other] = await database.sql<{ answer: unknown }>(
        "select public.record_rejected_line($1::uuid, to_jsonb($2::text)) as answer",
        [uuidOf("ada"), JSON.stringify(rejectedLine())],
      );
      expect(other?.answer).toEqual({ outcome: "accepted", enteredAt: expect.any(String) });
    }));
});

describe("record_rejected_line", () => {
  test.each(["duplicate", "not-found", "illegible", "not-registered", "out-of-district", "other"])(
    "stores a line that is %s, once, and notes no change of signers",
    (verdict) =>
      inLines(async () => {
        const answer = { outcome: "accepted", enteredAt: expect.stringMatching(isoTime) };
        expect(await reject("ada", { verdict, voterId: "V-1" })).toEqual(answer);
        const stored = await all();
        expect(stored).toEqual({
          signatures: [],
          sheets: [],
          notes: [],
          rejected: [
            {
              id: ids.c,
              team_id: "north",
              campaign_id: "lakes",
              sheet: 3,
              line: 10,
              verdict,
              voter_id: "V-1",
              note: "a coffee stain",
              entered_by: uuidOf("ada"),
              entered_at: expect.any(String),
              removed_at: null,
            },
          ],
        });
        expect(await reject("ada", { verdict, voterId: "V-1" })).toEqual(answer);
        expect(await all()).toEqual(stored);
      }),
  );

  test.each(["rex", "vic", "sue", "oda", "sam", "nell"])("stores nothing for %s, who may not enter there", (who) =>
    inLines(async () => {
      const before = await all();
      expect(await reject(who)).toEqual(notAllowed);
      expect(await all()).toEqual(before);
    }),
  );

  test("answers removed when an undone line is sent again", () =>
    inLines(async () => {
      await reject("ada");
      expect(await remove("ada", ids.c)).toEqual({ outcome: "removed" });
      const before = await all();
      expect(await reject("ada")).toEqual({ outcome: "removed", enteredAt: expect.any(String) });
      expect(await all()).toEqual(before);
    }));

  test.each<[what: string, who: string, changed: Record<string, unknown>]>([
    ["another person", "bea", {}],
    ["another team", "sam", { teamId: "south" }],
    ["another campaign", "oda", { campaignId: "rivers" }],
    ["another verdict", "ada", { verdict: "other" }],
    ["another voter", "ada", { voterId: "V-9" }],
    ["a signature", "ada", { id: ids.a }],
  ])("does not take an id for %s", (_, who, changed) =>
    inLines(async () => {
      await record("ada");
      await reject("ada");
      const before = await all();
      expect(await reject(who, changed)).toEqual(idTaken);
      expect(await all()).toEqual(before);
    }),
  );

  test("knows no other verdict", () =>
    inLines(async () => {
      await expect(reject("ada", { verdict: "smudged" })).rejects.toThrow(/rejected_lines_verdict_check/);
    }));
});

describe("remove_line", () => {
  // Whose lines each may remove: own with signatures.enter, others' with signatures.remove.
  test.each<[who: string, own: string, others: string]>([
    ["ada", "removed", "not-allowed"],
    ["rex", "not-allowed", "removed"],
    ["max", "removed", "removed"],
    ["vic", "not-allowed", "not-allowed"],
    ["sue", "not-allowed", "not-allowed"],
    ["oda", "not-allowed", "not-allowed"],
    ["sam", "not-allowed", "not-allowed"],
    ["nell", "not-allowed", "not-allowed"],
  ])("by %s: her own is %s, another's %s", (who, own, others) =>
    inLines(async () => {
      await record("bea");
      await reject("bea");
      // Entered before she lost, or never had, the right to.
      const [ownLine, ownRejected] = [uuidOf("own line"), uuidOf("own rejected")];
      await database.sql(
        `insert into public.signatures (id, team_id, campaign_id, voter_id, entered_by)
         values ($1, 'north', 'lakes', 'V-own', $2)`,
        [ownLine, uuidOf(who)],
      );
      await database.sql(
        `insert into public.rejected_lines (id, team_id, campaign_id, verdict, entered_by)
         values ($1, 'north', 'lakes', 'other', $2)`,
        [ownRejected, uuidOf(who)],
      );
      for (const [id, outcome] of [
        [ownLine, own],
        [ownRejected, own],
        [ids.a, others],
        [ids.c, others],
      ] as const) {
        const before = await all();
        const answer = await remove(who, id);
        expect(answer).toMatchObject({ outcome });
        if (outcome !== "removed") expect({ answer, rows: await all() }).toEqual({ answer: { outcome }, rows: before });
      }
      const { signatures, rejected } = await all();
      const goneOf = (rows: Record<string, unknown>[] = []) =>
        Object.fromEntries(rows.map(({ id, removed_at }) => [String(id), removed_at !== null]));
      expect({ ...goneOf(signatures), ...goneOf(rejected) }).toEqual({
        [ownLine]: own === "removed",
        [ownRejected]: own === "removed",
        [ids.a]: others === "removed",
        [ids.c]: others === "removed",
      });
    }),
  );

  test("answers whom the set must lose, keeps the line with who removed it, and notes the change", () =>
    inLines(async () => {
      await record("ada");
      const [before] = (await all()).signatures ?? [];
      const answer = await remove("max", ids.a);
      expect(answer).toEqual({ outcome: "removed", voterId: "V-1", changeNumber: expect.any(Number), again: false });
      const { changeNumber } = answer as { changeNumber: number };
      const { signatures, notes } = await all();
      expect(signatures).toEqual([
        { ...before, removed_at: expect.any(String), removed_by: uuidOf("max"), change_number: changeNumber },
      ]);
      expect(notes?.map(({ change_number }) => change_number)).toEqual([before?.change_number, changeNumber]);
    }));

  test("changes nothing the second time", () =>
    inLines(async () => {
      await record("ada");
      const first = await remove("ada", ids.a);
      const before = await all();
      expect(await remove("max", ids.a)).toEqual({ ...(first as object), again: true });
      expect(await all()).toEqual(before);
    }));

  // Redis remembers the number of her newer line for an hour, and an undo may wait longer than that in a browser.
  test("names nobody for the set to lose when it is sent again after the voter was entered anew", () =>
    inLines(async () => {
      await record("ada");
      await remove("ada", ids.a);
      await record("bea", { id: ids.b });
      const before = await all();
      expect(await remove("ada", ids.a)).toEqual({ outcome: "removed" });
      expect(await all()).toEqual(before);
    }));

  test.each([
    ["a missing line", "max", uuidOf("nothing"), "north", "lakes"],
    ["another team's line", "max", ids.a, "north", "lakes"],
    ["another team's rejected line", "max", ids.c, "north", "lakes"],
    ["a line of another campaign", "max", ids.b, "north", "lakes"],
    ["one's own line, named in another campaign", "oda", ids.a, "north", "rivers"],
  ])("tells %s from no other", (_, who, id, team, campaign) =>
    inLines(async () => {
      await record("sam", { teamId: "south" });
      await reject("sam", { teamId: "south" });
      await record("oda", { id: ids.b, campaignId: "rivers" });
      const before = await all();
      expect(await remove(who, id, team, campaign)).toEqual({ outcome: "not-found" });
      expect(await all()).toEqual(before);
    }),
  );
});

describe("sheets", () => {
  const open = (who: string, number: number | null = null, team = "north", campaign = "lakes") =>
    call("open_sheet", uuidOf(who), team, campaign, number);
  const close = (who: string, number: number, team = "north", campaign = "lakes") =>
    call("close_sheet", uuidOf(who), team, campaign, number);
  const sheet = (given: Record<string, unknown>) => ({
    openedBy: "ada",
    mine: true,
    openedAt: expect.stringMatching(isoTime),
    closedAt: null,
    lines: 0,
    nextLine: 1,
    ...given,
  });

  test("are numbered on in each team and campaign, after the greatest number there", () =>
    inLines(async () => {
      expect(await open("ada")).toEqual({ outcome: "opened", sheet: sheet({ number: 1 }) });
      expect(await open("ada", 41)).toEqual({ outcome: "opened", sheet: sheet({ number: 41 }) });
      expect(await open("bea")).toEqual({ outcome: "opened", sheet: sheet({ number: 42, openedBy: "bea" }) });
      expect(await open("sam", null, "south")).toMatchObject({ sheet: { number: 1 } });
      expect(await open("oda", null, "north", "rivers")).toMatchObject({ sheet: { number: 1 } });
    }));

  test("are resumed by whoever opens them again, at the next line; undone lines do not count", () =>
    inLines(async () => {
      await open("ada", 3);
      await record("ada", { line: 1 });
      await reject("ada", { line: 2 });
      await record("ada", { id: ids.b, voterId: "V-2", line: 3 });
      expect(await open("bea", 3)).toEqual({
        outcome: "opened",
        sheet: sheet({ number: 3, openedBy: "bea", lines: 3, nextLine: 4 }),
      });
      await remove("ada", ids.b);
      await record("sam", { id: uuidOf("south's"), teamId: "south", voterId: "V-3", line: 50 });
      expect(await open("bea", 3)).toMatchObject({ sheet: { lines: 2, nextLine: 3 } });
    }));

  test("are closed once, and opened again", () =>
    inLines(async () => {
      await open("ada", 3);
      const closed = { outcome: "closed", sheet: sheet({ number: 3, closedAt: expect.stringMatching(isoTime) }) };
      expect(await close("ada", 3)).toEqual(closed);
      const before = await all();
      expect(await close("ada", 3)).toEqual(closed);
      expect(await all()).toEqual(before);
      expect(await open("ada", 3)).toEqual({ outcome: "opened", sheet: sheet({ number: 3 }) });
    }));

  test.each(["rex", "vic", "sue", "oda", "sam", "nell"])("are neither opened nor closed by %s", (who) =>
    inLines(async () => {
      await open("ada", 3);
      const before = await all();
      expect(await open(who)).toEqual(notAllowed);
      expect(await open(who, 3)).toEqual(notAllowed);
      expect(await close(who, 3)).toEqual(notAllowed);
      expect(await all()).toEqual(before);
    }),
  );

  test("of another team are not there", () =>
    inLines(async () => {
      await open("sam", 5, "south");
      const before = await all();
      expect(await close("ada", 5)).toEqual({ outcome: "not-found" });
      expect(await all()).toEqual(before);
    }));
});

test("signed_already tells one's own team where and by whom, another team's line alone, and removed ones not", () =>
  inLines(async () => {
    await record("ada", { voterId: "__proto__" });
    await record("ada", { id: ids.b, voterId: "V-2", sheet: null, line: null });
    await record("sam", { id: ids.c, teamId: "south", voterId: "V-3" });
    await record("ada", { id: uuidOf("undone"), voterId: "V-4" });
    await remove("ada", uuidOf("undone"));
    await record("oda", { id: uuidOf("elsewhere"), campaignId: "rivers", voterId: "V-5" });
    const [row] = await database.sql<{ pairs: unknown }>(
      `select jsonb_agg(jsonb_build_array(key, value) order by key collate "C") as pairs
       from jsonb_each(public.signed_already('north', 'lakes', $1::text[]))`,
      [["__proto__", "V-2", "V-3", "V-4", "V-5", "V-6"]],
    );
    const own = { ownTeam: true, enteredAt: expect.stringMatching(isoTime), enteredBy: "ada" };
    expect(row?.pairs).toEqual([
      ["V-2", own],
      ["V-3", { ownTeam: false }],
      ["__proto__", { ...own, sheet: 3, line: 9 }],
    ]);
  }));
