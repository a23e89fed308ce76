import { beforeEach, describe, expect, test, vi } from "vitest";
import { POST } from "../../../app/api/signatures/route.ts";
import { AppError } from "../../../lib/errors.ts";

const userId = "0b6f0a52-5f0f-4d8a-9f5e-0d6f5a1c2b3d";
type Answer = { data: unknown; error: (Error & { code?: string }) | null };
const state = vi.hoisted(() => ({
  session: null as { userId: string } | null,
  keys: [] as string[],
  /** What the database is asked, and what it answers, one after the other; the last one again and again. */
  asked: [] as { name: string; given: Record<string, unknown> }[],
  answers: [] as Answer[],
  /** What the set is told, and what comes of it. */
  told: [] as unknown[],
  set: undefined as string | Error | undefined,
  afterwards: [] as (() => Promise<void>)[],
}));
vi.mock("next/server", () => ({ after: (task: () => Promise<void>) => state.afterwards.push(task) }));
vi.mock("../../../lib/auth/get-session.ts", () => ({ getLiveSession: async () => state.session }));
vi.mock("../../../lib/permissions/route-permissions.ts", () => ({
  routePermissions: async () => ({ teamAccess: true, campaignAccess: true, permissionKeys: state.keys }),
}));
vi.mock("../../../lib/redis.ts", () => ({ withRedis: () => Promise.reject(new Error("away")) })); // the limit counts all the same
vi.mock("../../../lib/supabase/admin.ts", () => ({
  createAdminClient: () => ({
    rpc: async (name: string, given: Record<string, unknown>) => {
      state.asked.push({ name, given });
      return state.answers.length > 1 ? state.answers.shift() : state.answers[0];
    },
  }),
}));
const tell = async (change: unknown) => {
  state.told.push(change);
  if (state.set instanceof Error) throw state.set;
  return state.set;
};
vi.mock("../../../lib/signers/add-signer.ts", () => ({ addSigner: (change: unknown) => tell({ add: change }) }));
vi.mock("../../../lib/signers/remove-signer.ts", () => ({
  removeSigner: (change: unknown) => tell({ remove: change }),
}));

const logged = vi.spyOn(console, "info").mockImplementation(() => undefined);
const failed = vi.spyOn(console, "error").mockImplementation(() => undefined);
const stored = { outcome: "accepted", voterId: "V-1", changeNumber: 7, enteredAt: "2026-11-21T10:00:00.000Z" };
beforeEach(() => {
  logged.mockClear();
  failed.mockClear();
  Object.assign(state, { session: { userId }, keys: ["signatures.enter"], asked: [], told: [], afterwards: [] });
  Object.assign(state, { set: "added", answers: [{ data: { ...stored, again: false }, error: null }] });
});

const place = { team: "north", campaign: "lakes" };
const idOf = (number: number) => `6a0d3a52-5f0f-4d8a-9f5e-${String(number).padStart(12, "0")}`;
const [id, other] = [idOf(1), idOf(2)];
const line = { id, kind: "line", verdict: "accepted", voterId: "V-1", sheet: 3, line: 9 };
const rejected = { id: other, kind: "line", verdict: "illegible", sheet: 3, line: 10 };
const empty = {
  ...{ voterId: null, firstName: null, lastName: null, address: null, city: null, county: null, zip: null },
  ...{ signedOn: null, note: null },
};
const { kind: _, ...keyed } = { ...empty, ...line, ...place };
const answerWith = (...answers: object[]) => {
  state.answers = answers.map((answer) => ("error" in answer ? (answer as Answer) : { data: answer, error: null }));
};

async function post(changes: unknown, more: object = {}) {
  const request = new Request("http://signet.test/api/signatures", {
    method: "POST",
    headers: { "content-type": "application/json", host: "signet.test" },
    body: JSON.stringify({ ...place, changes, ...more }),
  });
  const response = await POST(request);
  return { status: response.status, body: await response.json() };
}
/** What came of one change alone. */
async function outcomeOf(change: unknown) {
  const { status, body } = await post([change]);
  expect([status, body.outcomes?.length]).toEqual([200, 1]);
  return body.outcomes[0];
}
const names = () => state.asked.map(({ name }) => name);
const events = () => logged.mock.calls.map(([text]) => JSON.parse(String(text)));

describe("a line", () => {
  const change = { campaignId: "lakes", voterId: "V-1", changeNumber: 7 };

  test("is stored by one call, the set follows, and the note goes after the answer", async () => {
    expect(await post([line])).toEqual({
      status: 200,
      body: { outcomes: [{ id, outcome: "stored", verdict: "accepted" }] },
    });
    expect(state.asked).toEqual([{ name: "record_line", given: { p_actor_id: userId, p_line: keyed } }]);
    expect(state.told).toEqual([{ add: change }]);
    for (const task of state.afterwards) await task();
    expect(state.asked.slice(1)).toEqual([
      {
        name: "forget_signer_change",
        given: { p_campaign_id: "lakes", p_voter_id: "V-1", p_change_number: 7 },
      },
    ]);
    expect(events()).toEqual([]);
  });

  test("is stored in the name of the session and in the place of the request, whatever it says itself", async () => {
    await post([{ ...line, team: "south", campaign: "rivers", actorId: other, entered_by: other }]);
    expect(state.asked[0]?.given).toEqual({ p_actor_id: userId, p_line: keyed });
  });

  test.each(["present", "superseded"])(
    "that the set knew as %s is logged, but not when it was sent again",
    async (found) => {
      state.set = found;
      await post([line]);
      expect(events()).toMatchObject([
        { event: "signer-set-differed", campaign: "lakes", changeNumber: 7, member: true, found },
      ]);
      expect(JSON.stringify(events())).not.toContain("V-1");
      logged.mockClear();
      answerWith({ ...stored, again: true });
      await post([line]);
      expect(events()).toEqual([]);
    },
  );

  test.each([new AppError("unavailable", "The store is away."), new Error("OOM command not allowed")])(
    "is stored all the same when the set cannot be written, and its note stays (%s)",
    async (error) => {
      state.set = error;
      expect(await outcomeOf(line)).toEqual({ id, outcome: "stored", verdict: "accepted" });
      expect(state.afterwards).toEqual([]);
      expect(events()).toMatchObject([{ event: "signer-set-behind", campaign: "lakes", changeNumber: 7 }]);
    },
  );

  test("whose note cannot be deleted is answered all the same", async () => {
    await post([line]);
    answerWith({ data: null, error: new Error("away") });
    for (const task of state.afterwards) await expect(task()).resolves.toBeUndefined();
  });

  test("that does not count is stored with its verdict, and no set is told", async () => {
    answerWith({ outcome: "rejected", enteredAt: stored.enteredAt });
    expect(await outcomeOf(rejected)).toEqual({ id: other, outcome: "stored", verdict: "illegible" });
    expect(state.told).toEqual([]);
  });

  test.each([
    { ownTeam: true, sheet: 3, line: 9, enteredBy: "Rosa", enteredAt: stored.enteredAt },
    { ownTeam: false },
    undefined,
  ])("that is a duplicate of %j is told so, and the set is left alone", async (of) => {
    answerWith({ outcome: "duplicate", ...(of && { of }) });
    expect(await outcomeOf(line)).toEqual({ id, outcome: "duplicate", of: of ?? null });
    expect(state.told).toEqual([]);
  });

  test("that was undone meanwhile has no verdict any more, and the set is left alone", async () => {
    answerWith({ outcome: "removed" });
    expect(await outcomeOf(line)).toEqual({ id, outcome: "stored" });
    expect(state.told).toEqual([]);
  });

  const region = { timeZone: "America/Los_Angeles", locale: "en-GB" };
  test.each([
    [
      { verdict: "accepted", voterId: "V-2", firstName: "Ada", lastName: "Smith", enteredBy: "Rosa" },
      "Smith, Ada, accepted, keyed by Rosa",
    ],
    [{ verdict: "duplicate", voterId: "V-2", enteredBy: "Rosa" }, "voter V-2, duplicate, keyed by Rosa"],
    [{ verdict: "not-found" }, "not found, keyed by somebody whose account is gone"],
  ])("whose place is taken by %j is told what stands there, in fields and in words", async (there, told) => {
    const taken = { id: other, mine: false, ...there, enteredAt: "2026-11-21T10:00:00.000Z", ...region };
    answerWith({ outcome: "line-taken", taken });
    expect(await outcomeOf(line)).toEqual({
      ...{ id, outcome: "line-taken", taken },
      error:
        `Sheet 3, line 9 is taken: ${told} on 21 Nov 2026, 02:00. ` +
        "Correct the number of this line, or have the other one removed and send this one again.",
    });
    expect(state.told).toEqual([]);
  });

  test.each([
    ["2026-11-01", "2026-11-30", "from 1 Nov 2026 to 30 Nov 2026"],
    ["2026-11-01", null, "from 1 Nov 2026"],
    [null, "2026-10-30", "to 30 Oct 2026"],
  ])("signed outside the days from %s to %s is refused, and told what to do", async (startsOn, endsOn, days) => {
    answerWith({ outcome: "outside-dates", startsOn, endsOn, ...region });
    expect(await outcomeOf({ ...line, signedOn: "2026-10-31" })).toEqual({
      ...{ id, outcome: "refused", why: "outside-dates" },
      error:
        `The day signed, 31 Oct 2026, is outside the campaign's days, ${days}. ` +
        "Correct the day, or record the line as outside dates.",
    });
  });

  test.each([
    ["not-allowed", /may not do this in this campaign any more/],
    ["archived", /^This campaign is archived: .* bring it back, then send this again\.$/],
  ])("that the database answers with %s is refused for good, by that code", async (why, error) => {
    answerWith({ outcome: why });
    expect(await outcomeOf(line)).toEqual({ id, outcome: "refused", why, error: expect.stringMatching(error) });
    expect(state.told).toEqual([]);
    expect(failed).not.toHaveBeenCalled();
  });

  test.each([
    [{ by: { sheet: 4, line: 2 } }, "another line at sheet 4, line 2, has its ID"],
    [{ by: {} }, "another line has its ID"],
    [{}, "another line has its ID"],
  ])("whose id is taken is refused for good, and told by what: %j", async (by, told) => {
    answerWith({ outcome: "id-taken", ...by });
    const error = `Couldn't save this line: ${told}. Compare the two, then send it again or discard it.`;
    expect(await outcomeOf(line)).toEqual({ id, outcome: "refused", why: "id-taken", error });
    expect(state.told).toEqual([]);
  });

  test.each(["22008", "23514"])("that the database can never store (%s) is refused for good", async (code) => {
    answerWith({ data: null, error: Object.assign(new Error("out of range"), { code }) });
    const error = "This cannot be stored as it is. Correct it and send it again.";
    expect(await outcomeOf(line)).toEqual({ id, outcome: "refused", why: "invalid", error });
  });

  test.each([
    ["cannot be reached", { data: null, error: Object.assign(new Error("fetch failed"), { code: "" }) }],
    ["has it already", { data: null, error: Object.assign(new Error("duplicate key"), { code: "23505" }) }],
    ["ends it for a deadlock", { data: null, error: Object.assign(new Error("deadlock"), { code: "40P01" }) }],
    ["is shutting down", { data: null, error: Object.assign(new Error("bye"), { code: "57P01" }) }],
    ["answers nonsense", { data: { outcome: "hm" }, error: null }],
  ])("is to be sent later when the database %s, and why is logged once", async (_case, answer) => {
    state.answers = [answer];
    expect(await outcomeOf(line)).toEqual({ id, outcome: "later" });
    expect(state.told).toEqual([]);
    expect(failed).toHaveBeenCalledOnce();
  });
});

describe("an undo", () => {
  const undo = { id: other, kind: "undo", of: id };

  test("takes a line back, which leaves the set too", async () => {
    state.set = "removed";
    answerWith({ outcome: "removed", voterId: "V-1", changeNumber: 7, again: false });
    expect(await outcomeOf(undo)).toEqual({ id: other, outcome: "stored" });
    expect(state.asked).toEqual([
      {
        name: "remove_line",
        given: { p_actor_id: userId, p_team_id: "north", p_campaign_id: "lakes", p_id: id, p_because: null },
      },
    ]);
    expect(state.told).toEqual([{ remove: { campaignId: "lakes", voterId: "V-1", changeNumber: 7 } }]);
  });

  test("of a line that never arrived is done", async () => {
    answerWith({ outcome: "not-found" });
    expect(await outcomeOf(undo)).toEqual({ id: other, outcome: "stored" });
  });

  test("of another's line is refused", async () => {
    answerWith({ outcome: "not-allowed" });
    expect(await outcomeOf(undo)).toMatchObject({ id: other, outcome: "refused", why: "not-allowed" });
  });
});

describe("a sheet", () => {
  const sheet = {
    ...{ number: 3, openedBy: "Rosa", mine: true, openedAt: "2026-11-21T10:00:00.000Z", closedAt: null },
    ...{ circulator: null, collectedOn: null, signatureCount: null },
    ...{ lines: 8, nextLine: 9, clerks: [{ name: "Rosa", mine: true, lines: 8 }] },
  };
  const at = { p_actor_id: userId, p_team_id: "north", p_campaign_id: "lakes" };
  const paper = { circulator: "Rosa", collectedOn: "2026-11-20", signatureCount: 18 };

  test.each([
    ["the next one", { sheet: null }, { p_number: null, p_paper: null }],
    ["sheet 3", { sheet: 3 }, { p_number: 3, p_paper: null }],
    ["sheet 3, with what is written on it", { sheet: 3, paper }, { p_number: 3, p_paper: paper }],
    [
      "sheet 3, with a part of it",
      { sheet: 3, paper: { signatureCount: null } },
      { p_number: 3, p_paper: { signatureCount: null } },
    ],
  ])("is opened: %s", async (_case, given, asked) => {
    answerWith({ outcome: "opened", sheet });
    expect(await outcomeOf({ id, kind: "open-sheet", ...given })).toEqual({ id, outcome: "stored", sheet });
    expect(state.asked).toEqual([{ name: "open_sheet", given: { ...at, ...asked } }]);
  });

  test("is closed", async () => {
    const closed = { ...sheet, closedAt: "2026-11-21T11:00:00.000Z" };
    answerWith({ outcome: "closed", sheet: closed });
    expect(await outcomeOf({ id, kind: "close-sheet", sheet: 3 })).toEqual({ id, outcome: "stored", sheet: closed });
    expect(state.asked).toEqual([{ name: "close_sheet", given: { ...at, p_number: 3 } }]);
  });

  test.each([
    ["open-sheet", "archived", "archived", /^This campaign is archived: it takes no lines and no sheets\. /],
    ["open-sheet", "not-allowed", "not-allowed", /may not do this/],
    ["close-sheet", "not-found", "not-found", /^There is no such sheet\. /],
    ["close-sheet", "not-allowed", "not-allowed", /may not do this/],
  ])("%s that is answered with %s is refused for good", async (kind, outcome, why, error) => {
    answerWith({ outcome });
    const refused = { id, outcome: "refused", why, error: expect.stringMatching(error) };
    expect(await outcomeOf({ id, kind, sheet: 3 })).toEqual(refused);
  });
});

describe("a change that cannot be read is refused alone", () => {
  test.each<[what: string, change: unknown, error: RegExp]>([
    ["no object", "x", /^kind must be line, undo, open-sheet or close-sheet\.$/],
    ["null", null, /^kind must be line, undo, open-sheet or close-sheet\.$/],
    ["of no kind", { id }, /^kind must be line, undo/],
    ["without an id", { ...line, id: undefined }, /^id must be/],
    ["with a number as id", { ...line, id: 7 }, /^id must be/],
    ["with another verdict", { ...line, verdict: "maybe" }, /^verdict must be a verdict of the list\.$/],
    ["without a voter", { ...line, voterId: null }, /^voterId is missing\.$/],
    ["on sheet 0", { ...line, sheet: 0 }, /^The sheet must be 1 or more\.$/],
    ["on a line that is none", { ...line, line: 1.5 }, /^The line must be a whole number\.$/],
    ["signed in the future", { ...line, signedOn: "2099-01-01" }, /^The day signed is in the future\.$/],
    ["with a long reason", { ...line, note: "x".repeat(501) }, /^The reason must be at most 500 characters\.$/],
    ["an undo of nothing", { id, kind: "undo" }, /^of must be a uuid\.$/],
    ["a sheet without a number", { id, kind: "close-sheet", sheet: null }, /^The sheet must be a whole number\.$/],
    [
      "a sheet with a number too high",
      { id, kind: "open-sheet", sheet: 1_000_000 },
      /^The sheet must be 999999 or less\.$/,
    ],
    [
      "a paper with half a signature",
      { id, kind: "open-sheet", sheet: 3, paper: { circulator: null, collectedOn: null, signatureCount: 0.5 } },
      /^The number of signatures must be a whole number\.$/,
    ],
    [
      "a paper collected on no day",
      { id, kind: "open-sheet", sheet: 3, paper: { collectedOn: "yesterday" } },
      /^The day collected must be a day/,
    ],
  ])("%s", async (_what, change, error) => {
    answerWith({ outcome: "rejected", enteredAt: stored.enteredAt });
    const { status, body } = await post([change, rejected]);
    const given: unknown = typeof change === "object" && change !== null && "id" in change ? change.id : null;
    expect([status, body.outcomes]).toEqual([
      200,
      [
        {
          ...{ id: typeof given === "string" ? given : null, outcome: "refused", why: "invalid" },
          error: expect.stringMatching(error),
        },
        { id: other, outcome: "stored", verdict: "illegible" },
      ],
    ]);
    expect(names()).toEqual(["record_line"]);
  });
});

describe("many changes", () => {
  test("are carried out in order, each by itself: what fails leaves the others", async () => {
    answerWith(
      { outcome: "rejected", enteredAt: stored.enteredAt },
      { outcome: "id-taken" },
      { outcome: "duplicate" },
      { outcome: "removed" },
    );
    const changes = [
      { ...rejected, id: idOf(1) },
      { ...rejected, id: idOf(2) },
      { ...line, id: idOf(3) },
      { id: idOf(4), kind: "undo", of: idOf(1) },
    ];
    expect((await post(changes)).body.outcomes).toEqual([
      { id: idOf(1), outcome: "stored", verdict: "illegible" },
      { id: idOf(2), outcome: "refused", why: "id-taken", error: expect.any(String) },
      { id: idOf(3), outcome: "duplicate", of: null },
      { id: idOf(4), outcome: "stored" },
    ]);
    expect(names()).toEqual(["record_line", "record_line", "record_line", "remove_line"]);
  });

  test("behind one that has to wait wait too, so that no undo overtakes its line", async () => {
    answerWith({ data: null, error: new Error("away") });
    const undo = { id: other, kind: "undo", of: id };
    expect((await post([line, undo, { ...rejected, sheet: 0 }])).body.outcomes).toEqual([
      { id, outcome: "later" },
      { id: other, outcome: "later" },
      { id: other, outcome: "later" },
    ]);
    expect(names()).toEqual(["record_line"]);
  });

  test("that take too long wait for the next request, before the clerk's screen gives up", async () => {
    let now = Date.now();
    vi.spyOn(Date, "now").mockImplementation(() => {
      now += 3_000;
      return now;
    });
    const changes = Array.from({ length: 5 }, (_, index) => ({ ...rejected, id: idOf(index) }));
    answerWith({ outcome: "rejected", enteredAt: stored.enteredAt });
    const { body } = await post(changes);
    vi.mocked(Date.now).mockRestore();
    const outcomes = body.outcomes.map(({ outcome }: { outcome: string }) => outcome);
    expect(outcomes).toEqual(["stored", "stored", "later", "later", "later"]);
    expect(names()).toHaveLength(2);
  });

  test("are 50 at most, and one at least", async () => {
    answerWith({ outcome: "rejected", enteredAt: stored.enteredAt });
    const changes = Array.from({ length: 51 }, (_, index) => ({ ...rejected, id: idOf(index) }));
    expect(await post(changes)).toEqual({ status: 400, body: { error: "changes must be at most 50 changes." } });
    expect(await post([])).toEqual({ status: 400, body: { error: "changes must hold a change." } });
    expect(names()).toEqual([]);
    expect((await post(changes.slice(1))).body.outcomes).toHaveLength(50);
  });
});

test("nothing is stored of another person who keyed on the same device; of the same it is", async () => {
  expect(await post([line], { clerk: other })).toEqual({
    status: 401,
    body: {
      error: "Somebody else is signed in on this device now. Sign in again as the one who keyed these lines.",
    },
  });
  expect(state.asked).toEqual([]);
  expect((await post([line], { clerk: userId })).status).toBe(200);
});
