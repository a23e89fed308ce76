import { redirect } from "next/navigation";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import {
  submitDiscardSheet,
  submitMove,
  submitPaper,
  submitRemoval,
  submitRenumber,
  submitRestore,
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
  requireLiveUser: async () => {
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
    rpc: async (name: string, given: Record<string, unknown>) => {
      state.asked.push({ name, given });
      return state.answer;
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
const inLakes = (fields: Record<string, string> = {}) => formOf({ team: "north", campaign: "lakes", ...fields });
const removal = (fields = {}) => submitRemoval(unsent, inLakes({ id, ...fields }));
const restoration = (fields = {}) => submitRestore(unsent, inLakes({ id, ...fields }));
const moving = (fields = {}) => submitMove(unsent, inLakes({ id, sheet: "7", line: "2", ...fields }));
const renumbering = (fields = {}) => submitRenumber(unsent, inLakes({ from: "710", to: "701", ...fields }));
const writing = (fields = {}) => submitPaper(unsent, inLakes({ number: "3", ...fields }));
const discarding = () => submitDiscardSheet(unsent, inLakes({ number: "3" }));
const enteredAt = "2026-11-21T10:00:00.000Z";
const change = { campaignId: "lakes", voterId: "V-1", changeNumber: 7 };
const forgotten = {
  name: "forget_signer_change",
  given: { p_campaign_id: "lakes", p_voter_id: "V-1", p_change_number: 7 },
};
const events = () => logged.mock.calls.map(([text]) => JSON.parse(String(text)));

describe("nothing is written", () => {
  const actions: [name: string, key: string, run: () => Promise<unknown>][] = [
    ["submitRemoval", "signatures.remove", removal],
    ["submitRestore", "signatures.remove", restoration],
    ["submitMove", "signatures.remove", moving],
    ["submitRenumber", "signatures.remove", renumbering],
    ["submitPaper", "signatures.enter", writing],
    ["submitDiscardSheet", "signatures.enter", discarding],
  ];

  test.each(actions)("by %s without %s", async (_, key, run) => {
    state.keys = ["signatures.view"];
    expect(await run()).toEqual({ message: null, error: expect.stringContaining(key), data: {} });
    expect(state.asked).toEqual([]);
  });

  test.each(actions)("by %s without a session", async (_, _key, run) => {
    state.signedIn = false;
    await expect(run()).rejects.toMatchObject({ digest: expect.stringContaining("/login") });
    expect(state.asked).toEqual([]);
  });
});

describe("a removal", () => {
  test("of a signature leaves the set too, and the note goes after the answer", async () => {
    state.set = "removed";
    state.answer = { data: { outcome: "removed", voterId: "V-1", changeNumber: 7, again: false }, error: null };
    expect(await removal()).toEqual({
      message: "Removed.",
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
      message: "Removed.",
      error: null,
      data: { outcome: "removed", setBehind: false },
    });
    expect(state.told).toEqual([]);
  });

  test("tells the reason, and asks for one where the database does", async () => {
    state.answer = { data: { outcome: "reason-missing" }, error: null };
    expect(await removal({ because: " crossed out " })).toEqual({
      message: null,
      error: "Somebody else keyed this line. Say why it is removed, and remove it then.",
      data: {},
    });
    expect(state.asked[0]?.given).toMatchObject({ p_because: "crossed out" });
    await removal({ because: " " });
    expect(state.asked[1]?.given).toMatchObject({ p_because: null });
    expect(await removal({ because: "x".repeat(501) })).toMatchObject({ zodIssues: [{ path: ["because"] }] });
  });

  test.each([
    ["removal", removal],
    ["restoration", restoration],
    ["move", moving],
    ["renumbering", renumbering],
  ])(
    "or a %s is open to one who removes others' lines and enters none; the database decides whose it is",
    async (_, run) => {
      state.keys = ["signatures.remove"];
      state.answer = { data: { outcome: "not-allowed" }, error: null };
      expect(await run()).toMatchObject({ error: expect.any(String) });
      expect(state.asked).toHaveLength(1);
    },
  );

  test("of a line that is not there is refused for good", async () => {
    state.answer = { data: { outcome: "not-found" }, error: null };
    expect(await removal()).toEqual({
      message: null,
      error: "This line is not in this campaign. Reload the page to see which lines are.",
      data: {},
    });
  });

  test("says so when the set cannot be written, and its note stays", async () => {
    state.set = new AppError("unavailable", "The store is away.");
    state.answer = { data: { outcome: "removed", voterId: "V-1", changeNumber: 7, again: false }, error: null };
    expect(await removal()).toEqual({
      message: "Removed. The fast check for duplicates learns of it when its connection is back.",
      error: null,
      data: { outcome: "removed", setBehind: true },
    });
    expect(state.afterwards).toEqual([]);
  });
});

describe("a restoration", () => {
  const restored = (given = {}) => ({ data: { outcome: "restored", again: false, ...given }, error: null });

  test("of a signature puts her into the set again, and the note goes after the answer", async () => {
    state.answer = restored({ voterId: "V-1", changeNumber: 7 });
    expect(await restoration({ because: "the paper is clear" })).toEqual({
      message: "Restored.",
      error: null,
      data: { outcome: "restored", setBehind: false },
    });
    expect(state.asked).toEqual([
      { name: "restore_line", given: { p_actor_id: userId, ...lakes, p_id: id, p_because: "the paper is clear" } },
    ]);
    expect(state.told).toEqual([{ add: change }]);
    for (const task of state.afterwards) await task();
    expect(state.asked.slice(1)).toEqual([forgotten]);
  });

  test("is stored all the same when the set cannot be written, and says so", async () => {
    state.set = new Error("OOM command not allowed");
    state.answer = restored({ voterId: "V-1", changeNumber: 7 });
    expect(await restoration()).toMatchObject({
      message: "Restored. The fast check for duplicates learns of it when its connection is back.",
      data: { setBehind: true },
    });
  });

  test("of a line that does not count tells no set", async () => {
    state.answer = restored();
    expect(await restoration()).toMatchObject({ data: { outcome: "restored", setBehind: false } });
    expect(state.told).toEqual([]);
  });

  const region = { timeZone: "UTC", locale: "en-US" };
  const taken = { id, mine: true, verdict: "illegible", enteredBy: "Rosa", enteredAt, ...region };
  const where = { sheet: 3, line: 9, signedOn: "2026-10-31" };
  test.each([
    [
      { outcome: "duplicate", of: { ownTeam: true, sheet: 3, line: 9, enteredBy: "Rosa", enteredAt } },
      "This voter has signed meanwhile: sheet 3, line 9, by Rosa. The line stays removed, as no voter counts twice.",
    ],
    [
      { outcome: "duplicate", of: { ownTeam: false } },
      "This voter has signed meanwhile, with another team. The line stays removed, as no voter counts twice.",
    ],
    [
      { outcome: "line-taken", taken, ...where },
      "Sheet 3, line 9 is taken: illegible, keyed by Rosa on Nov 21, 2026, 10:00 AM. Move or remove that one, then restore this one.",
    ],
    [
      { outcome: "outside-dates", startsOn: "2026-11-01", endsOn: null, ...region, ...where },
      "The day signed, Oct 31, 2026, is outside the campaign's days, from Nov 1, 2026. " +
        "Have the campaign's days corrected, or key the line anew as outside dates.",
    ],
    [{ outcome: "archived" }, expect.stringMatching(/^This campaign is archived/)],
    [{ outcome: "not-allowed" }, expect.stringMatching(/^You may not do this/)],
    [{ outcome: "not-found" }, expect.stringMatching(/^This line is not in this campaign/)],
  ])("that the database answers with %j is refused for good, and no set is told", async (data, error) => {
    state.answer = { data, error: null };
    const answer = await restoration();
    expect({ ...answer, error: answer.error?.replaceAll("\u202f", " ") }).toEqual({
      message: null,
      error,
      data: {},
    });
    expect(state.told).toEqual([]);
  });
});

describe("a move", () => {
  test("is one call, and no set is told", async () => {
    state.answer = { data: { outcome: "moved" }, error: null };
    expect(await moving({ because: "a slip" })).toEqual({ message: "Moved to sheet 7, line 2.", error: null });
    expect(state.asked).toEqual([
      {
        name: "move_line",
        given: { p_actor_id: userId, ...lakes, p_id: id, p_sheet: 7, p_line: 2, p_because: "a slip" },
      },
    ]);
    expect(state.told).toEqual([]);
  });

  test("to a line that is taken says by what", async () => {
    const taken = { id, mine: false, verdict: "other", enteredAt, timeZone: "UTC", locale: "en-GB" };
    state.answer = { data: { outcome: "line-taken", taken }, error: null };
    expect(await moving()).toEqual({
      message: null,
      error:
        "Sheet 7, line 2 is taken: other reason, keyed by somebody whose account is gone on 21 Nov 2026, 10:00. " +
        "Choose another line, or move or remove that one first.",
      data: {},
    });
  });

  test.each(["0", "", "x"])("leads to no line like %j", async (line) => {
    expect(await moving({ line })).toMatchObject({ zodIssues: [{ path: ["line"] }] });
    expect(state.asked).toEqual([]);
  });
});

describe("renumbering", () => {
  test("answers the sheet", async () => {
    const data = { outcome: "renumbered", sheet: { ...sheet, number: 701 } };
    state.answer = { data, error: null };
    expect(await renumbering()).toEqual({ message: "Sheet 710 is sheet 701 now.", error: null, data });
    expect(state.asked).toEqual([
      { name: "renumber_sheet", given: { p_actor_id: userId, ...lakes, p_from: 710, p_to: 701, p_because: null } },
    ]);
  });

  test("lists what stands at both numbers", async () => {
    const names = { firstName: null, lastName: null, city: null, zip: null, note: null, signedOn: null };
    const here = { id, line: 2, verdict: "blank", voterId: null, ...names, enteredBy: null, mine: true, enteredAt };
    const data = { outcome: "conflicts", conflicts: [{ line: 2, here, there: { ...here, mine: false } }] };
    state.answer = { data, error: null };
    expect(await renumbering()).toEqual({
      message: "Nothing was moved: lines stand at both numbers.",
      error: null,
      data,
    });
  });

  test("is to another number", async () => {
    expect(await renumbering({ to: "710" })).toMatchObject({ zodIssues: [{ path: ["to"] }] });
    expect(state.asked).toEqual([]);
  });

  test("of a sheet with others' lines says whom to ask", async () => {
    state.answer = { data: { outcome: "not-allowed" }, error: null };
    expect(await renumbering()).toMatchObject({
      error: "Others keyed lines on this sheet. Ask somebody who may remove their lines.",
    });
  });
});

describe("the paper of a sheet", () => {
  test.each<[what: string, fields: Record<string, string>, paper: object]>([
    [
      "all that is sent",
      { circulator: " Ola Berg ", collectedOn: "2026-11-01", signatureCount: "18" },
      { circulator: "Ola Berg", collectedOn: "2026-11-01", signatureCount: 18 },
    ],
    [
      "null for what is empty",
      { circulator: " ", collectedOn: "", signatureCount: "" },
      { circulator: null, collectedOn: null, signatureCount: null },
    ],
    ["nothing of what is not sent", {}, {}],
  ])("is written: %s", async (_, fields, paper) => {
    state.answer = { data: { outcome: "written", sheet }, error: null };
    expect(await writing(fields)).toEqual({ message: "Sheet 3 is saved.", error: null, data: sheet });
    const [asked] = state.asked;
    expect(asked).toEqual({
      name: "write_paper",
      given: { p_actor_id: userId, ...lakes, p_number: 3, p_paper: expect.anything() },
    });
    expect(JSON.parse(JSON.stringify(asked?.given.p_paper))).toEqual(paper);
  });

  test.each([
    ["signatureCount", "-1"],
    ["signatureCount", "1.5"],
    ["signatureCount", "many"],
    ["collectedOn", "yesterday"],
    ["collectedOn", "0026-11-01"],
    ["circulator", "x".repeat(201)],
  ])("has no %s like %j", async (field, value) => {
    expect(await writing({ [field]: value })).toMatchObject({ zodIssues: [{ path: [field] }] });
    expect(state.asked).toEqual([]);
  });
});

describe("a discarded sheet", () => {
  test("is gone by one call", async () => {
    state.answer = { data: { outcome: "discarded" }, error: null };
    expect(await discarding()).toEqual({ message: "Sheet 3 is discarded.", error: null });
    expect(state.asked).toEqual([{ name: "discard_sheet", given: { p_actor_id: userId, ...lakes, p_number: 3 } }]);
  });

  test.each([
    ["not-empty", "Lines stand on sheet 3. Move or remove them first, or renumber the sheet."],
    ["not-found", "There is no such sheet. Reload the page to see which there are."],
  ])("that the database answers with %s is not, for good", async (outcome, error) => {
    state.answer = { data: { outcome }, error: null };
    expect(await discarding()).toEqual({ message: null, error, data: {} });
  });
});
