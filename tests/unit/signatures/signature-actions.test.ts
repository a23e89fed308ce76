import { redirect } from "next/navigation";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import {
  submitCloseSheet,
  submitLine,
  submitOpenSheet,
  submitRemoval,
} from "../../../app/[team]/campaign/[campaign]/signatures/actions.ts";
import { AppError } from "../../../lib/errors.ts";
import { PermissionRefused } from "../../../lib/permissions/permission-refused.ts";

const userId = "0b6f0a52-5f0f-4d8a-9f5e-0d6f5a1c2b3d";
const state = vi.hoisted(() => ({
  keys: [] as string[],
  signedIn: true,
  /** What the database is asked, and what it answers. */
  asked: [] as { name: string; given: Record<string, unknown> }[],
  answer: {} as { data: unknown; error: null } | { data: null; error: Error & { code?: string } },
  /** What the set is told, and what comes of it. */
  told: [] as unknown[],
  set: undefined as string | Error | undefined,
  afterwards: [] as (() => Promise<void>)[],
}));
vi.mock("next/server", () => ({ after: (task: () => Promise<void>) => state.afterwards.push(task) }));
vi.mock("../../../lib/auth/require-user.ts", () => ({
  requireUser: async () => {
    if (!state.signedIn) redirect("/login");
    return { userId };
  },
}));
vi.mock("../../../lib/permissions/require-place.ts", async () => ({
  requireCampaign: async () => ({ session: { userId }, snapshot: { permissionKeys: state.keys } }),
  requirePermission: async (place: { team: string; campaign: string }, key: "signatures.enter") => {
    if (!state.keys.includes(key)) throw new PermissionRefused(place, key);
    return { session: { userId }, snapshot: { permissionKeys: state.keys } };
  },
}));
vi.mock("../../../lib/supabase/admin.ts", () => ({
  createAdminClient: () => ({
    rpc: (name: string, given: Record<string, unknown>) => ({
      abortSignal: async () => {
        state.asked.push({ name, given });
        return state.answer;
      },
    }),
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
beforeAll(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});
beforeEach(() => {
  logged.mockClear();
  Object.assign(state, {
    keys: ["signatures.enter"],
    signedIn: true,
    asked: [],
    told: [],
    afterwards: [],
    set: "added",
  });
  state.answer = { data: null, error: null };
});

const id = "6a0d3a52-5f0f-4d8a-9f5e-0d6f5a1c2b3d";
const line = { id, team: "north", campaign: "lakes", verdict: "accepted", voterId: "V-1", sheet: 3, line: 9 };
const nothing = {
  firstName: null,
  lastName: null,
  address: null,
  city: null,
  county: null,
  zip: null,
  signedOn: null,
  note: null,
};
const stored = { ...line, ...nothing };
const rejected = { id, team: "north", campaign: "lakes", sheet: 3, line: 9, verdict: "illegible" };
const sheet = {
  number: 3,
  circulator: null,
  collectedOn: null,
  signatureCount: null,
  openedBy: "Rosa",
  mine: true,
  openedAt: "2026-11-21T10:00:00.000Z",
  closedAt: null,
  lines: 8,
  nextLine: 9,
  clerks: [{ name: "Rosa", mine: true, lines: 8 }],
};
function formOf(fields: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}
const lakes = { p_team_id: "north", p_campaign_id: "lakes" };
const unsent = { message: null, error: null } as const;
const signature = (given: unknown = line) => submitLine(unsent, formOf({ line: JSON.stringify(given) }));
const removal = () => submitRemoval(unsent, formOf({ team: "north", campaign: "lakes", id }));
const enteredAt = "2026-11-21T10:00:00.000Z";
const change = { campaignId: "lakes", voterId: "V-1", changeNumber: 7 };
const forgotten = {
  name: "forget_signer_change",
  given: { p_campaign_id: "lakes", p_voter_id: "V-1", p_change_number: 7 },
};
const events = () => logged.mock.calls.map(([text]) => JSON.parse(String(text)));

describe("a signature", () => {
  beforeEach(() => {
    state.answer = {
      data: { outcome: "accepted", voterId: "V-1", changeNumber: 7, enteredAt, again: false },
      error: null,
    };
  });

  test("is stored by one call, the set follows, and the note goes after the answer", async () => {
    expect(await signature()).toEqual({
      message: "Accepted.",
      error: null,
      data: { outcome: "accepted", enteredAt, setBehind: false },
    });
    expect(state.asked).toEqual([{ name: "record_line", given: { p_actor_id: userId, p_line: stored } }]);
    expect(state.told).toEqual([{ add: change }]);
    for (const task of state.afterwards) await task();
    expect(state.asked.slice(1)).toEqual([forgotten]);
    expect(events()).toEqual([]);
  });

  test.each(["present", "superseded"])(
    "that the set knew as %s is logged when the database has just accepted it",
    async (found) => {
      state.set = found;
      expect(await signature()).toMatchObject({ data: { outcome: "accepted", setBehind: false } });
      expect(events()).toMatchObject([
        { event: "signer-set-differed", campaign: "lakes", changeNumber: 7, member: true, found },
      ]);
      expect(JSON.stringify(events())).not.toContain("V-1");
      logged.mockClear();
      state.answer = {
        data: { outcome: "accepted", voterId: "V-1", changeNumber: 7, enteredAt, again: true },
        error: null,
      };
      await signature();
      expect(events()).toEqual([]);
    },
  );

  test.each([new AppError("unavailable", "The store is away."), new Error("OOM command not allowed")])(
    "is stored all the same when the set cannot be written, says so, and its note stays (%s)",
    async (error) => {
      state.set = error;
      expect(await signature()).toEqual({
        message: "Accepted. The fast check for duplicates learns of it when its connection is back.",
        error: null,
        data: { outcome: "accepted", enteredAt, setBehind: true },
      });
      expect(state.afterwards).toEqual([]);
      expect(events()).toMatchObject([{ event: "signer-set-behind", campaign: "lakes", changeNumber: 7 }]);
    },
  );

  test("whose note cannot be deleted is answered all the same", async () => {
    await signature();
    state.answer = { data: null, error: new Error("away") };
    for (const task of state.afterwards) await expect(task()).resolves.toBeUndefined();
  });

  test.each([
    [{ ownTeam: true, sheet: 3, line: 9, enteredBy: "Rosa", enteredAt }, "Signed already: sheet 3, line 9, by Rosa."],
    [{ ownTeam: true, line: 9 }, "Signed already: line 9."],
    [{ ownTeam: true }, "Signed already."],
    [{ ownTeam: false }, "Signed already, with another team."],
    [undefined, "Signed already."],
  ])("that is a duplicate of %j is told so, and the set is left alone", async (of, message) => {
    state.answer = { data: { outcome: "duplicate", ...(of && { of }) }, error: null };
    expect(await signature()).toEqual({ message, error: null, data: { outcome: "duplicate", of: of ?? null } });
    expect(state.told).toEqual([]);
  });

  test("that was undone meanwhile is told so, and the set is left alone", async () => {
    state.answer = { data: { outcome: "removed", changeNumber: 8, enteredAt, again: true }, error: null };
    expect(await signature()).toEqual({
      message: "Undone.",
      error: null,
      data: { outcome: "removed", setBehind: false },
    });
    expect(state.told).toEqual([]);
  });

  test.each([
    ["not-allowed", /may not do this in this campaign any more/],
    ["id-taken", /under this line's id/],
    ["archived", /^This campaign is archived: .* bring it back, then send this again\.$/],
  ])("that the database answers with %s is refused for good", async (outcome, error) => {
    state.answer = { data: { outcome }, error: null };
    expect(await signature()).toEqual({
      message: null,
      error: expect.stringMatching(error),
      data: { outcome: "refused" },
    });
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
  ])("whose place is taken by %j is refused for good, says what stands there and what to do", async (there, told) => {
    const taken = { ...there, id, mine: false, enteredAt: "2026-11-21T10:00:00.000Z", ...region };
    state.answer = { data: { outcome: "line-taken", taken }, error: null };
    expect(await signature()).toEqual({
      message: null,
      error:
        `Sheet 3, line 9 is taken: ${told} on 21 Nov 2026, 02:00. ` +
        "Correct the number of this line, or have the other one removed and send this one again.",
      data: { outcome: "refused" },
    });
    expect(state.told).toEqual([]);
  });

  test.each([
    ["2026-11-01", "2026-11-30", "from 1 Nov 2026 to 30 Nov 2026"],
    ["2026-11-01", null, "from 1 Nov 2026"],
    [null, "2026-10-30", "to 30 Oct 2026"],
  ])(
    "signed outside the days from %s to %s is refused for good, and says what to do",
    async (startsOn, endsOn, days) => {
      state.answer = { data: { outcome: "outside-dates", startsOn, endsOn, ...region }, error: null };
      expect(await signature({ ...line, signedOn: "2026-10-31" })).toEqual({
        message: null,
        error:
          `The day signed, 31 Oct 2026, is outside the campaign's days, ${days}. ` +
          "Correct the day, or record the line as outside dates.",
        data: { outcome: "refused" },
      });
      expect(state.told).toEqual([]);
    },
  );

  test.each(["22008", "23514"])("that the database can never store (%s) is refused for good", async (code) => {
    state.answer = { data: null, error: Object.assign(new Error("out of range"), { code }) };
    expect(await signature()).toEqual({
      message: null,
      error: "This cannot be stored as it is. Correct it and send it again.",
      data: { outcome: "refused" },
    });
    expect(state.told).toEqual([]);
  });

  test.each([
    ["cannot be reached", { data: null, error: Object.assign(new Error("fetch failed"), { code: "" }) }],
    ["has it already", { data: null, error: Object.assign(new Error("duplicate key"), { code: "23505" }) }],
    ["ends it for a deadlock", { data: null, error: Object.assign(new Error("deadlock"), { code: "40P01" }) }],
    ["is shutting down", { data: null, error: Object.assign(new Error("bye"), { code: "57P01" }) }],
    ["answers nonsense", { data: { outcome: "hm" }, error: null }],
  ])("is to be sent later when the database %s", async (_, answer) => {
    state.answer = answer as typeof state.answer;
    expect(await signature()).toEqual({ message: null, error: expect.any(String), data: { outcome: "later" } });
    expect(state.told).toEqual([]);
  });
});

describe("nothing is written", () => {
  const actions: [name: string, key: string, run: () => Promise<unknown>][] = [
    ["submitLine", "signatures.enter", signature],
    ["submitLine of one that does not count", "signatures.enter", () => signature(rejected)],
    ["submitRemoval", "signatures.remove", removal],
    [
      "submitOpenSheet",
      "signatures.enter",
      () => submitOpenSheet(unsent, formOf({ team: "north", campaign: "lakes" })),
    ],
    [
      "submitCloseSheet",
      "signatures.enter",
      () => submitCloseSheet(unsent, formOf({ team: "north", campaign: "lakes", number: "3" })),
    ],
  ];

  test.each(actions)("by %s without %s", async (_, key, run) => {
    state.keys = ["signatures.view"];
    expect(await run()).toEqual({ message: null, error: expect.stringContaining(key), data: { outcome: "refused" } });
    expect(state.asked).toEqual([]);
  });

  test.each(actions)("by %s without a session", async (_, _key, run) => {
    state.signedIn = false;
    await expect(run()).rejects.toMatchObject({ digest: expect.stringContaining("/login") });
    expect(state.asked).toEqual([]);
  });

  test.each([
    ["no line", {}, ["line"]],
    ["what is no JSON", { line: "{" }, ["line"]],
    ["too long a text", { line: `"${"x".repeat(20_001)}"` }, ["line"]],
    ["a wrong sheet", { line: JSON.stringify({ ...line, sheet: 0 }) }, ["line", "sheet"]],
    ["no voter", { line: JSON.stringify({ ...line, voterId: undefined }) }, ["line", "voterId"]],
  ])("for a form with %s, which never will be", async (_, fields, path) => {
    expect(await submitLine(unsent, formOf(fields))).toEqual({
      message: null,
      error: "One field needs a change.",
      data: { outcome: "refused" },
      zodIssues: [expect.objectContaining({ path })],
    });
    expect(state.asked).toEqual([]);
  });
});

test("a rejected line is stored by one call, and no set is told", async () => {
  state.answer = { data: { outcome: "rejected", enteredAt, again: false }, error: null };
  expect(await signature(rejected)).toEqual({
    message: "Kept as a line that does not count.",
    error: null,
    data: { outcome: "rejected", enteredAt },
  });
  expect(state.asked).toEqual([
    { name: "record_line", given: { p_actor_id: userId, p_line: { ...rejected, ...nothing, voterId: null } } },
  ]);
  expect(state.told).toEqual([]);
});

describe("a removal", () => {
  test("of a signature leaves the set too, and the note goes after the answer", async () => {
    state.set = "removed";
    state.answer = { data: { outcome: "removed", voterId: "V-1", changeNumber: 7, again: false }, error: null };
    expect(await removal()).toEqual({
      message: "Undone.",
      error: null,
      data: { outcome: "removed", setBehind: false },
    });
    expect(state.asked).toEqual([
      { name: "remove_line", given: { p_actor_id: userId, ...lakes, p_id: id, p_because: null } },
    ]);
    expect(state.told).toEqual([{ remove: change }]);
    for (const task of state.afterwards) await task();
    expect(state.asked.slice(1)).toEqual([forgotten]);
    expect(events()).toEqual([]);
  });

  test("of a rejected line tells no set", async () => {
    state.answer = { data: { outcome: "removed" }, error: null };
    expect(await removal()).toEqual({
      message: "Undone.",
      error: null,
      data: { outcome: "removed", setBehind: false },
    });
    expect(state.told).toEqual([]);
  });

  test("is open to one who removes others' lines and enters none; the database decides whose it is", async () => {
    state.keys = ["signatures.remove"];
    state.answer = { data: { outcome: "not-allowed" }, error: null };
    expect(await removal()).toMatchObject({ data: { outcome: "refused" } });
    expect(state.asked).toHaveLength(1);
  });

  test("of a line that is not there is refused for good", async () => {
    state.answer = { data: { outcome: "not-found" }, error: null };
    expect(await removal()).toEqual({
      message: null,
      error: "This line is not in this campaign. Reload the page to see which lines are.",
      data: { outcome: "refused" },
    });
  });
});

describe("a sheet", () => {
  test.each([
    ["the next one", {}, null],
    ["the next one, from an empty field", { number: "" }, null],
    ["sheet 3", { number: "3" }, 3],
  ])("is opened: %s", async (_, fields, number) => {
    state.answer = { data: { outcome: "opened", sheet }, error: null };
    expect(await submitOpenSheet(unsent, formOf({ team: "north", campaign: "lakes", ...fields }))).toEqual({
      message: "Sheet 3, line 9.",
      error: null,
      data: { outcome: "opened", sheet },
    });
    expect(state.asked).toEqual([
      {
        name: "open_sheet",
        given: { p_actor_id: userId, ...lakes, p_number: number, p_paper: null },
      },
    ]);
  });

  test("of an archived campaign is not opened, for good", async () => {
    state.answer = { data: { outcome: "archived" }, error: null };
    expect(await submitOpenSheet(unsent, formOf({ team: "north", campaign: "lakes" }))).toEqual({
      message: null,
      error: expect.stringMatching(/^This campaign is archived: it takes no lines and no sheets\. /),
      data: { outcome: "refused" },
    });
  });

  test("is closed", async () => {
    const closed = { ...sheet, closedAt: "2026-11-21T11:00:00.000Z" };
    state.answer = { data: { outcome: "closed", sheet: closed }, error: null };
    expect(await submitCloseSheet(unsent, formOf({ team: "north", campaign: "lakes", number: "3" }))).toEqual({
      message: "Sheet 3 is closed.",
      error: null,
      data: { outcome: "closed", sheet: closed },
    });
  });

  test("that is not there is refused for good", async () => {
    state.answer = { data: { outcome: "not-found" }, error: null };
    expect(await submitCloseSheet(unsent, formOf({ team: "north", campaign: "lakes", number: "3" }))).toMatchObject({
      error: "There is no such sheet. Reload the page to see which there are.",
      data: { outcome: "refused" },
    });
  });

  test.each(["0", "x", "1.5", "1000000", "-1"])("has no number like %s", async (number) => {
    for (const action of [submitOpenSheet, submitCloseSheet]) {
      expect(await action(unsent, formOf({ team: "north", campaign: "lakes", number }))).toMatchObject({
        zodIssues: [{ path: ["number"] }],
        data: { outcome: "refused" },
      });
    }
    expect(state.asked).toEqual([]);
  });
});
