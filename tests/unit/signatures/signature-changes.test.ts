// The outcomes of a clerk's changes over the entry screen's routes and the forms' actions, for all answers of the database
// and the set of signers.
import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  deleteSheet,
  moveLine,
  removeLine,
  renumberSheet,
  restoreLine,
  saveSheetDetails,
} from "../../../app/[team]/campaign/[campaign]/signatures/actions.ts";
import { POST } from "../../../app/api/signatures/route.ts";
import { POST as postSigned } from "../../../app/api/signatures/signed/route.ts";
import { type FormSubmit, initialFormState } from "../../../lib/forms/form-state.ts";
import { PermissionRefused } from "../../../lib/permissions/messages.ts";
import { permissionLabel } from "../../../lib/permissions/permission-keys.ts";
import { noVoter } from "../../support/entry-lines.ts";
import { postJson, readJson } from "../../support/post-json.ts";

const userId = "0b6f0a52-5f0f-4d8a-9f5e-0d6f5a1c2b3d";
type Answer = { data: unknown; error: (Error & { code?: string }) | null };
const state = vi.hoisted(() => ({
  keys: [] as string[],
  /** The calls of the database, and its answers in order; the last one is repeated. */
  calls: [] as { name: string; given: Record<string, unknown> }[],
  answers: [] as Answer[],
  /** The changes of the set of signers, and their result. */
  setChanges: [] as unknown[],
  set: undefined as string | Error | undefined,
  afterwards: [] as (() => Promise<void>)[],
}));
vi.mock("next/server", () => ({ after: (task: () => Promise<void>) => state.afterwards.push(task) }));
vi.mock("../../../lib/auth/get-session.ts", () => {
  const getSession = async () => ({ userId });
  return { getSession, getLiveSession: getSession };
});
vi.mock("../../../lib/auth/require-user.ts", () => ({ requireLiveUser: async () => ({ userId }) }));
vi.mock("../../../lib/permissions/route-permissions.ts", () => ({
  routePermissions: async () => ({ teamAccess: true, campaignAccess: true, permissionKeys: state.keys }),
}));
vi.mock("../../../lib/permissions/list-places.ts", () => ({
  listPlaces: async () => [],
  listTeamsLackingSecondFactor: async () => [],
}));
vi.mock("../../../lib/permissions/require-place.ts", () => {
  const access = () => ({ session: { userId }, snapshot: { permissionKeys: state.keys } });
  return {
    requireCampaign: async () => access(),
    requirePermission: async (place: { team: string; campaign: string }, key: "signatures.enter") => {
      if (!state.keys.includes(key)) throw new PermissionRefused(place, key);
      return access();
    },
  };
});
vi.mock("../../../lib/redis.ts", () => ({ withRedis: () => Promise.reject(new Error("unreachable")) })); // limits count without it
vi.mock("../../../lib/supabase/admin.ts", () => ({
  createAdminClient: () => ({
    rpc: async (name: string, args: Record<string, unknown>) => {
      state.calls.push({ name, given: args });
      return state.answers.length > 1 ? state.answers.shift() : state.answers[0];
    },
  }),
}));
const changeSet = async (change: unknown) => {
  state.setChanges.push(change);
  if (state.set instanceof Error) throw state.set;
  return state.set;
};
vi.mock("../../../lib/signers/signers.ts", () => ({
  addSigner: (change: unknown) => changeSet({ add: change }),
  removeSigner: (change: unknown) => changeSet({ remove: change }),
}));

const logged = vi.spyOn(console, "info").mockImplementation(() => undefined);
const failed = vi.spyOn(console, "error").mockImplementation(() => undefined);
const enteredAt = "2026-11-21T10:00:00.000Z";
const signer = { voterId: "V-1", changeNumber: 7 };
beforeEach(() => {
  logged.mockClear();
  failed.mockClear();
  Object.assign(state, { keys: ["signatures.enter"], calls: [], setChanges: [], afterwards: [], set: "added" });
  answerWith({ outcome: "accepted", ...signer, enteredAt, unchanged: false });
});

const place = { team: "north", campaign: "lakes" };
const idOf = (number: number) => `6a0d3a52-5f0f-4d8a-9f5e-${String(number).padStart(12, "0")}`;
const [id, other] = [idOf(1), idOf(2)];
const line = { id, kind: "line", verdict: "accepted", voterId: "V-1", sheet: 3, line: 9 };
const rejected = { id: other, kind: "line", verdict: "illegible", sheet: 3, line: 10 };
const undo = { id: other, kind: "undo", of: id };
const empty = { ...noVoter, signedOn: null, note: null };
const { kind: _, ...entered } = { ...empty, ...line, ...place };
/** A line as the database returns it. */
const storedLine = { ...empty, id, sheet: 3, line: 9, mine: true, enteredBy: null, enteredAt, removedAt: null };
const sheet = {
  number: 3,
  openedBy: "Rosa",
  mine: true,
  openedAt: enteredAt,
  closedAt: null,
  circulator: null,
  collectedOn: null,
  signatureCount: null,
  lines: 8,
  nextLine: 9,
  clerks: [{ name: "Rosa", mine: true, lines: 8 }],
};
const answerWith = (...answers: object[]) => {
  state.answers = answers.map((data) => ({ data, error: null }));
};
const failWith = (message: string, code = "") => {
  state.answers = [{ data: null, error: Object.assign(new Error(message), { code }) }];
};
const asActor = { p_actor_id: userId };
const inLakes = { ...asActor, p_team_id: "north", p_campaign_id: "lakes" };
const change = { campaignId: "lakes", ...signer };
const names = () => state.calls.map(({ name }) => name);
const events = () => logged.mock.calls.map(([text]) => JSON.parse(String(text)));

/** Runs the tasks after the response, and returns their database calls. */
async function callsAfterwards() {
  const { length } = state.calls;
  for (const task of state.afterwards) await task();
  return state.calls.slice(length);
}
const forgetChange = {
  name: "delete_applied_signer_changes",
  given: { p_campaign_id: "lakes", p_voter_id: "V-1", p_change_number: 7 },
};

const post = async (changes: unknown, more: object = {}) =>
  readJson(await postJson(POST, { ...place, changes, ...more }));
/** Sends one change and returns its outcome. */
async function outcomeOf(change: unknown) {
  const { status, body } = await post([change]);
  expect([status, body.outcomes?.length]).toEqual([200, 1]);
  return body.outcomes[0];
}

describe("a sent line", () => {
  test("is stored by one call, then added to the set, and its note is deleted after the response", async () => {
    expect(await post([line])).toEqual({
      status: 200,
      body: { outcomes: [{ id, outcome: "stored", verdict: "accepted" }] },
    });
    expect(state.calls).toEqual([{ name: "record_line", given: { ...asActor, p_line: entered } }]);
    expect(state.setChanges).toEqual([{ add: change }]);
    expect(await callsAfterwards()).toEqual([forgetChange]);
    expect(events()).toEqual([]);
  });

  test("is stored for the session's user and the request's place, whatever it says itself", async () => {
    await post([{ ...line, team: "south", campaign: "rivers", actorId: other, entered_by: other }]);
    expect(state.calls[0]?.given).toEqual({ ...asActor, p_line: entered });
  });

  test("of another person on the same device is not stored; of the same person it is", async () => {
    const error = "Someone else is signed in on this device now. Sign in again as the person who entered these lines.";
    expect(await post([line], { clerk: other })).toEqual({ status: 401, body: { error } });
    expect(state.calls).toEqual([]);
    expect((await post([line], { clerk: userId })).status).toBe(200);
  });

  test.each(["present", "superseded"])(
    "that the set already had as %s is logged, but not when it is sent again",
    async (setChange) => {
      state.set = setChange;
      await post([line]);
      const event = { event: "signer-set-differed", campaign: "lakes", changeNumber: 7, isSigner: true, setChange };
      expect(events()).toMatchObject([event]);
      expect(JSON.stringify(events())).not.toContain("V-1");
      logged.mockClear();
      answerWith({ outcome: "accepted", ...signer, enteredAt, unchanged: true });
      await post([line]);
      expect(events()).toEqual([]);
    },
  );

  test("is stored even if the set can't be written, and its note stays", async () => {
    state.set = new Error("OOM command not allowed");
    expect(await outcomeOf(line)).toEqual({ id, outcome: "stored", verdict: "accepted" });
    expect(state.afterwards).toEqual([]);
    expect(events()).toMatchObject([{ event: "signer-set-behind", campaign: "lakes", changeNumber: 7 }]);
  });

  test("is answered even if its note can't be deleted", async () => {
    await post([line]);
    failWith("unreachable");
    await expect(callsAfterwards()).resolves.toEqual([forgetChange]);
  });

  const own = { ownTeam: true, sheet: 3, line: 9, enteredBy: "Rosa", enteredAt };
  test.each([
    ["is invalid", rejected, { outcome: "rejected", enteredAt }, { outcome: "stored", verdict: "illegible" }],
    ["is a duplicate of the team's", line, { outcome: "duplicate", of: own }, { outcome: "duplicate", of: own }],
    ["is a duplicate of a deleted line", line, { outcome: "duplicate" }, { outcome: "duplicate", of: null }],
    ["was undone before", line, { outcome: "removed" }, { outcome: "stored" }],
  ])("that %s has that outcome, and leaves the set alone", async (_what, sent, response, outcome) => {
    answerWith(response);
    expect(await outcomeOf(sent)).toEqual({ id: sent.id, ...outcome });
    expect(state.setChanges).toEqual([]);
  });

  const region = { timeZone: "America/Los_Angeles", locale: "en-GB" };
  test.each([
    [
      { verdict: "accepted", voterId: "V-2", firstName: "Ada", lastName: "Smith", enteredBy: "de Vries" },
      "de Vries already entered Smith, Ada on sheet 3, line 9 (valid",
    ],
    [
      { verdict: "duplicate", voterId: "V-2", enteredBy: "Rosa" },
      "Rosa already entered voter V-2 on sheet 3, line 9 (duplicate",
    ],
    [{ verdict: "not-found" }, "A deleted account already entered sheet 3, line 9 (not found"],
  ])("whose place is taken by %j is answered with that line, in fields and in words", async (there, described) => {
    const taken = { ...storedLine, id: other, mine: false, ...there };
    answerWith({ outcome: "line-taken", taken, ...region });
    expect(await outcomeOf(line)).toEqual({
      id,
      outcome: "line-taken",
      taken,
      error:
        `${described}, 21 Nov 2026, 02:00). ` +
        "Correct this line's number, or have the other line removed and send this one again.",
    });
    expect(state.setChanges).toEqual([]);
  });

  test.each([
    ["2026-11-01", "2026-11-30", "from 1 Nov 2026 to 30 Nov 2026"],
    [null, "2026-10-30", "until 30 Oct 2026"],
  ])("signed outside the dates from %s to %s is refused with advice", async (startsOn, endsOn, days) => {
    answerWith({ outcome: "outside-dates", signedOn: "2026-10-31", startsOn, endsOn, ...region });
    expect(await outcomeOf({ ...line, signedOn: "2026-10-31" })).toEqual({
      id,
      outcome: "refused",
      why: "outside-dates",
      error:
        `The date signed, 31 Oct 2026, is outside the campaign's dates, ${days}. ` +
        "Correct the date, or enter the line as outside dates.",
    });
  });

  test.each([
    [{ by: { sheet: 4, line: 2 } }, "another line at sheet 4, line 2, has its ID"],
    [{}, "another line has its ID"],
  ])("whose ID is taken is refused for good, and says by which line: %j", async (by, described) => {
    answerWith({ outcome: "id-taken", ...by });
    const error = `Couldn't save this line: ${described}. Compare the two, then send it again or discard it.`;
    expect(await outcomeOf(line)).toEqual({ id, outcome: "refused", why: "id-taken", error });
    expect(state.setChanges).toEqual([]);
  });

  test.each(["22008", "23514"])("that the database can never store (%s) is refused for good", async (code) => {
    failWith("out of range", code);
    const error = "This can't be saved as it is. Correct it and send it again.";
    expect(await outcomeOf(line)).toEqual({ id, outcome: "refused", why: "invalid", error });
  });

  test.each([
    ["cannot be reached", () => failWith("fetch failed")],
    ["has it already", () => failWith("duplicate key", "23505")],
    ["ends it for a deadlock", () => failWith("deadlock", "40P01")],
    ["answers nonsense", () => answerWith({ outcome: "hm" })],
  ])("is to be sent again later when the database %s, and the reason is logged once", async (_case, happens) => {
    happens();
    expect(await outcomeOf(line)).toEqual({ id, outcome: "later" });
    expect(state.setChanges).toEqual([]);
    expect(failed).toHaveBeenCalledOnce();
  });
});

describe("an undo", () => {
  test("removes a line, from the set too", async () => {
    state.set = "removed";
    answerWith({ outcome: "removed", ...signer, unchanged: false });
    expect(await outcomeOf(undo)).toEqual({ id: other, outcome: "stored" });
    expect(state.calls).toEqual([{ name: "remove_line", given: { ...inLakes, p_id: id, p_reason: null } }]);
    expect(state.setChanges).toEqual([{ remove: change }]);
  });

  test("succeeds for a line that never arrived", async () => {
    answerWith({ outcome: "not-found" });
    expect(await outcomeOf(undo)).toEqual({ id: other, outcome: "stored" });
  });
});

test("a restoration restores the line, as in the register", async () => {
  answerWith({ outcome: "restored", ...signer, unchanged: false });
  expect(await outcomeOf({ ...undo, kind: "restore" })).toEqual({ id: other, outcome: "stored" });
  expect(state.calls).toEqual([{ name: "restore_line", given: { ...inLakes, p_id: id, p_reason: null } }]);
  expect(state.setChanges).toEqual([{ add: change }]);
});

describe("a sheet", () => {
  const paper = { circulator: "Rosa", collectedOn: "2026-11-20", signatureCount: 18 };

  test.each([
    ["the next one", { sheet: null }, { p_number: null, p_details: null, p_reopen: false }],
    ["sheet 3, with its paper data", { sheet: 3, paper }, { p_number: 3, p_details: paper, p_reopen: false }],
    ["sheet 3, reopened", { sheet: 3, reopens: true }, { p_number: 3, p_details: null, p_reopen: true }],
    [
      "sheet 3, with a part of its paper data",
      { sheet: 3, paper: { signatureCount: null } },
      { p_number: 3, p_details: { signatureCount: null }, p_reopen: false },
    ],
  ])("is opened: %s", async (_case, args1, args) => {
    answerWith({ outcome: "opened", sheet });
    expect(await outcomeOf({ id, kind: "open-sheet", ...args1 })).toEqual({ id, outcome: "stored", sheet });
    expect(state.calls).toEqual([{ name: "open_sheet", given: { ...inLakes, ...args } }]);
  });

  test("is closed", async () => {
    const closed = { ...sheet, closedAt: "2026-11-21T11:00:00.000Z" };
    answerWith({ outcome: "closed", sheet: closed });
    expect(await outcomeOf({ id, kind: "close-sheet", sheet: 3 })).toEqual({ id, outcome: "stored", sheet: closed });
    expect(state.calls).toEqual([{ name: "close_sheet", given: { ...inLakes, p_number: 3 } }]);
  });
});

test.each<[what: string, why: string, change: object, error: RegExp]>([
  ["a line", "not-allowed", line, /no longer have permission to do this in this campaign\. Export unsaved lines/],
  ["a line", "archived", line, /^This campaign is archived, .* restore it, then try again\.$/],
  ["an undo", "not-allowed", { ...undo, id }, /no longer have permission/],
  ["a restoration", "duplicate", { ...undo, id, kind: "restore" }, /^This voter has since signed/],
  ["a sheet to open", "archived", { id, kind: "open-sheet", sheet: 3 }, /, so nothing can be added to it\. /],
  ["a sheet to open", "not-allowed", { id, kind: "open-sheet", sheet: 3 }, /no longer have permission/],
  ["a sheet to open", "sheet-closed", { id, kind: "open-sheet", sheet: 3 }, /^Someone else's closed sheet/],
  ["a sheet to close", "not-found", { id, kind: "close-sheet", sheet: 3 }, /^This sheet no longer exists\. /],
  ["a sheet to close", "not-allowed", { id, kind: "close-sheet", sheet: 3 }, /no longer have permission/],
])("%s that the database answers with %s is refused for good with that code", async (_what, why, sent, error) => {
  answerWith({ outcome: why, of: { ownTeam: false } });
  expect(await outcomeOf(sent)).toEqual({ id, outcome: "refused", why, error: expect.stringMatching(error) });
  expect(state.setChanges).toEqual([]);
  expect(failed).not.toHaveBeenCalled();
});

describe("only an unreadable change is refused", () => {
  const openSheet = { id, kind: "open-sheet", sheet: 3 };
  test.each<[what: string, change: unknown, error: string | RegExp]>([
    ["null", null, "kind must be line, undo, restore, open-sheet or close-sheet."],
    ["without a kind", { id }, "kind must be line, undo, restore, open-sheet or close-sheet."],
    ["with a number as id", { ...line, id: 7 }, /^id must be/],
    ["without a voter", { ...line, voterId: null }, "voterId is required for a valid line."],
    ["on sheet 0", { ...line, sheet: 0 }, "The sheet must be 1 or more."],
    ["on half a line", { ...line, line: 1.5 }, "The line must be a whole number."],
    ["signed in the future", { ...line, signedOn: "2099-01-01" }, "The date signed is in the future."],
    ["with a long reason", { ...line, note: "x".repeat(501) }, "The reason must be at most 500 characters."],
    ["an undo of nothing", { id, kind: "undo" }, "of must be a uuid."],
    ["no sheet number", { ...openSheet, kind: "close-sheet", sheet: null }, "The sheet must be a whole number."],
    [
      "a sheet with too many signatures",
      { ...openSheet, paper: { signatureCount: 1001 } },
      "The number of signatures must be 1,000 or less.",
    ],
    ["a sheet with a number too high", { ...openSheet, sheet: 1_000_000 }, "The sheet must be 999999 or less."],
    [
      "half a signature on the paper",
      { ...openSheet, paper: { signatureCount: 0.5 } },
      "The number of signatures must be a whole number.",
    ],
    [
      "a sheet without signatures",
      { ...openSheet, paper: { signatureCount: 0 } },
      "The number of signatures must be 1 or more.",
    ],
    ["an invalid paper date", { ...openSheet, paper: { collectedOn: "soon" } }, /^The date collected must be a day/],
  ])("%s", async (_what, sent, error) => {
    answerWith({ outcome: "rejected", enteredAt });
    const { status, body } = await post([sent, rejected]);
    const ownId = sent !== null && typeof sent === "object" && "id" in sent && sent.id === id ? id : null;
    expect([status, body.outcomes]).toEqual([
      200,
      [
        {
          id: ownId,
          outcome: "refused",
          why: "invalid",
          error: typeof error === "string" ? error : expect.stringMatching(error),
        },
        { id: other, outcome: "stored", verdict: "illegible" },
      ],
    ]);
    expect(names()).toEqual(["record_line"]);
  });
});

describe("many changes", () => {
  test("are made in order and separately, so that a failure leaves the others", async () => {
    answerWith(
      { outcome: "rejected", enteredAt },
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

  test("after one that has to wait also wait, so that no undo overtakes its line", async () => {
    failWith("unreachable");
    expect((await post([line, undo, { ...rejected, sheet: 0 }])).body.outcomes).toEqual([
      { id, outcome: "later" },
      { id: other, outcome: "later" },
      { id: other, outcome: "later" },
    ]);
    expect(names()).toEqual(["record_line"]);
  });

  test("that take too long wait for the next request, before the clerk's screen times out", async () => {
    let now = Date.now();
    vi.spyOn(Date, "now").mockImplementation(() => {
      now += 3_000;
      return now;
    });
    answerWith({ outcome: "rejected", enteredAt });
    const { body } = await post(Array.from({ length: 5 }, (_, index) => ({ ...rejected, id: idOf(index) })));
    vi.mocked(Date.now).mockRestore();
    const outcomes = body.outcomes.map(({ outcome }: { outcome: string }) => outcome);
    expect(outcomes).toEqual(["stored", "stored", "later", "later", "later"]);
    expect(names()).toHaveLength(2);
  });

  test("must be 1 to 50", async () => {
    answerWith({ outcome: "rejected", enteredAt });
    const changes = Array.from({ length: 51 }, (_, index) => ({ ...rejected, id: idOf(index) }));
    expect(await post(changes)).toEqual({ status: 400, body: { error: "changes must contain at most 50 changes." } });
    expect(await post([])).toEqual({ status: 400, body: { error: "changes must contain at least one change." } });
    expect(names()).toEqual([]);
    expect((await post(changes.slice(1))).body.outcomes).toHaveLength(50);
  });
});

describe("who has signed", () => {
  const voterIds = ["V-1", "__proto__"];
  const sendSigned = async (more: object = {}) => readJson(await postJson(postSigned, { ...place, voterIds, ...more }));

  test("is answered with sheet and line, but for another team only that they have signed", async () => {
    const own = JSON.stringify({ ownTeam: true, enteredAt, enteredBy: "Rosa", sheet: 3, line: 9 });
    answerWith(JSON.parse(`{"V-1": {"ownTeam": false, "sheet": 7, "enteredBy": "Ed"}, "__proto__": ${own}}`));
    const { status, body } = await sendSigned();
    expect([status, JSON.stringify(body)]).toEqual([200, `{"signed":{"V-1":{"ownTeam":false},"__proto__":${own}}}`]);
    const args = { p_team_id: "north", p_campaign_id: "lakes", p_voter_ids: voterIds };
    expect(state.calls).toEqual([{ name: "already_signed", given: args }]);
  });

  test.each<[what: string, changed: object]>([
    ["team", { team: "a/b" }],
    ["campaign", { campaign: "a:b" }],
    ["voterIds", { voterIds: [] }],
    ["voterIds", { voterIds: Array.from({ length: 101 }, (_, index) => `V-${index}`) }],
    ["voterIds.0", { voterIds: ["two words"] }],
  ])("names %s when it is invalid", async (what, changed) => {
    const error = expect.stringMatching(`^${what} `);
    expect(await sendSigned(changed)).toEqual({ status: 400, body: { error } });
    expect(state.calls).toEqual([]);
  });

  test("is an error, not a “no”, when the table can't be read", async () => {
    failWith("unreachable");
    expect(await sendSigned()).toEqual({ status: 503, body: { error: expect.any(String) } });
  });
});

type Fields = Record<string, string>;
const submits =
  <Result>(submit: FormSubmit<Result>, input: Fields) =>
  (fields: Fields = {}) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...place, ...input, ...fields })) form.set(name, value);
    return submit(initialFormState, form);
  };
const removal = submits(removeLine, { id });
const restoration = submits(restoreLine, { id });
const moving = submits(moveLine, { id, sheet: "7", line: "2" });
const renumbering = submits(renumberSheet, { from: "710", to: "701" });
const writing = submits(saveSheetDetails, { number: "3" });
const discarding = submits(deleteSheet, { number: "3" });

describe("a form", () => {
  type Submit = (fields?: Fields) => Promise<{ message: string | null; error: string | null }>;
  const changes: [name: string, key: string, run: Submit][] = [
    ["remove a line", "signatures.remove", removal],
    ["restore a line", "signatures.remove", restoration],
    ["move a line", "signatures.remove", moving],
    ["renumber a sheet", "signatures.remove", renumbering],
  ];
  test.each([
    ...changes,
    ["save a sheet's paper data", "signatures.enter", writing] as const,
    ["delete a sheet", "signatures.enter", discarding] as const,
  ])("refuses to %s without %s", async (_, key, run) => {
    state.keys = ["signatures.view"];
    expect(await run()).toEqual({ message: null, error: expect.stringContaining(permissionLabel(key)), data: {} });
    expect(state.calls).toEqual([]);
  });

  test.each(changes)("lets the database decide who may %s with %s", async (_, key, run) => {
    state.keys = [key];
    answerWith({ outcome: "not-allowed" });
    expect(await run()).toMatchObject({ error: expect.any(String) });
    expect(state.calls).toHaveLength(1);
  });

  const here = { ...storedLine, line: 2, verdict: "blank", enteredBy: null };
  const conflicts = { outcome: "conflicts", conflicts: [{ line: 2, here, there: { ...here, mine: false } }] };
  const renumbered = { outcome: "renumbered", sheet: { ...sheet, number: 701 } };
  const saved = { outcome: "saved", sheet };
  test.each<[does: string, run: Submit, args: object, answer: object, message: string, data?: object]>([
    ["remove_line", removal, { p_id: id, p_reason: null }, { outcome: "removed" }, "Line removed."],
    [
      "restore_line",
      () => restoration({ reason: " the paper is clear " }),
      { p_id: id, p_reason: "the paper is clear" },
      { outcome: "restored", unchanged: false },
      "Line restored.",
    ],
    [
      "move_line",
      () => moving({ reason: "a slip" }),
      { p_id: id, p_sheet: 7, p_line: 2, p_reason: "a slip" },
      { outcome: "moved" },
      "Moved to sheet 7, line 2.",
    ],
    [
      "renumber_sheet",
      renumbering,
      { p_from: 710, p_to: 701, p_reason: null },
      renumbered,
      "Sheet 710 is now sheet 701.",
      renumbered,
    ],
    [
      "renumber_sheet",
      () => renumbering({ reason: " " }),
      { p_from: 710, p_to: 701, p_reason: null },
      conflicts,
      "Couldn't renumber the sheet: some line numbers exist on both sheets.",
      conflicts,
    ],
    [
      "save_sheet_details",
      () => writing({ circulator: " Ola Berg ", collectedOn: "2026-11-01", signatureCount: "18" }),
      { p_number: 3, p_details: { circulator: "Ola Berg", collectedOn: "2026-11-01", signatureCount: 18 } },
      saved,
      "Sheet 3 saved.",
      sheet,
    ],
    [
      "save_sheet_details",
      () => writing({ circulator: " ", collectedOn: "", signatureCount: "" }), // empty fields are cleared
      { p_number: 3, p_details: { circulator: null, collectedOn: null, signatureCount: null } },
      saved,
      "Sheet 3 saved.",
      sheet,
    ],
    ["save_sheet_details", writing, { p_number: 3, p_details: {} }, saved, "Sheet 3 saved.", sheet], // missing fields stay
    ["delete_sheet", discarding, { p_number: 3 }, { outcome: "deleted" }, "Sheet 3 deleted."],
  ])("calls %s, reports the result, and leaves the set alone", async (name, run, sent, response, message, data) => {
    answerWith(response);
    expect(await run()).toEqual({ message, error: null, ...(data && { data }) });
    expect(JSON.parse(JSON.stringify(state.calls))).toEqual([{ name, given: { ...inLakes, ...sent } }]);
    expect(state.setChanges).toEqual([]);
  });

  test.each([
    ["removed", "Line removed.", removal, "remove"],
    ["restored", "Line restored.", restoration, "add"],
  ])("changes the set when a signature is %s, or says that the set is behind", async (outcome, message, run, verb) => {
    state.set = outcome;
    answerWith({ outcome, ...signer, unchanged: false });
    expect(await run()).toEqual({ message, error: null });
    expect(state.setChanges).toEqual([{ [verb]: change }]);
    expect(await callsAfterwards()).toEqual([forgetChange]);
    Object.assign(state, { set: new Error("OOM command not allowed"), afterwards: [] });
    const behind = `${message} Duplicate checks may miss this for a moment.`;
    expect(await run()).toEqual({ message: behind, error: null });
    expect(state.afterwards).toEqual([]);
  });

  const region = { timeZone: "UTC", locale: "en-US" };
  const taken = { ...storedLine, verdict: "illegible", enteredBy: "Rosa" };
  test.each<[error: string | RegExp, run: Submit, outcome: string, more?: object]>([
    ["Someone else entered this line. Enter a reason, then try again.", removal, "reason-missing"],
    ["This line no longer exists in this campaign. Reload the page.", removal, "not-found"],
    [
      "This voter has since signed: sheet 3, line 9, entered by Rosa. The line stays removed, because each voter counts once.",
      restoration,
      "duplicate",
      { of: { ownTeam: true, sheet: 3, line: 9, enteredBy: "Rosa", enteredAt } },
    ],
    [
      "This voter has since signed, with another team. The line stays removed, because each voter counts once.",
      restoration,
      "duplicate",
      { of: { ownTeam: false } },
    ],
    [
      "You already entered sheet 3, line 9 (illegible, Nov 21, 2026, 10:00 AM). Move or remove that one, then restore this one.",
      restoration,
      "line-taken",
      { taken, ...region },
    ],
    [
      "The date signed, Oct 31, 2026, is outside the campaign's dates, from Nov 1, 2026. " +
        "Have the campaign's dates corrected, or enter it again as outside dates.",
      restoration,
      "outside-dates",
      { signedOn: "2026-10-31", startsOn: "2026-11-01", endsOn: null, ...region },
    ],
    [/^This campaign is archived/, restoration, "archived"],
    [/^You no longer have permission/, restoration, "not-allowed"],
    [/^This line no longer exists in this campaign/, restoration, "not-found"],
    [
      / already entered sheet 7, line 2 \(.*\)\. Choose another line, or move or remove that one first\.$/,
      moving,
      "line-taken",
      { taken: { ...taken, sheet: 7, line: 2 }, ...region },
    ],
    [/^Other people entered lines on this sheet\. Ask someone who has permission/, renumbering, "not-allowed"],
    ["This sheet has lines. Move or remove them first, or renumber the sheet.", discarding, "not-empty"],
    ["This sheet no longer exists. Reload the page.", discarding, "not-found"],
  ])("says why nothing is changed: %s", async (error, run, outcome, more) => {
    answerWith({ outcome, ...more });
    const result = await run();
    expect(result).toEqual({ message: null, error: expect.any(String), data: {} });
    const text = result.error?.replaceAll("\u202f", " ");
    if (typeof error === "string") expect(text).toBe(error);
    else expect(text).toMatch(error);
    expect(state.setChanges).toEqual([]);
  });

  test.each<[field: string, value: string, run: Submit]>([
    ["reason", "x".repeat(501), removal],
    ["line", "0", moving],
    ["line", "", moving],
    ["sheet", "x", moving],
    ["to", "710", renumbering], // its current number
    ["signatureCount", "-1", writing],
    ["signatureCount", "many", writing],
    ["collectedOn", "yesterday", writing],
    ["collectedOn", "0026-11-01", writing],
    ["circulator", "x".repeat(201), writing],
  ])("takes no %s like %j", async (field, value, run) => {
    expect(await run({ [field]: value })).toMatchObject({ zodIssues: [{ path: [field] }] });
    expect(state.calls).toEqual([]);
  });
});
