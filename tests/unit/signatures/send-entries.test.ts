// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Entry, What } from "@/components/signatures/entry";
import { type EntryActions, entrySender } from "@/components/signatures/send-entry";
import { pauseAfter } from "@/components/signatures/use-entries";
import { askForMarks } from "@/components/voters/ask-for-marks";
import type { SignedMarks } from "@/components/voters/signed-mark";
import { lineRefusals } from "@/lib/signatures/line-refusals";

const place = { team: "riverside", campaign: "clean-water" };
const entry = (what: What): Entry => ({
  ...{ id: "5f0c54b2-9a39-4d62-9a0b-0d6f6d0f7f10", order: 1, at: "2026-11-03T12:00:00.000Z" },
  ...{ tried: true, refused: null, what },
});
const signature: What = {
  ...{ kind: "signature", voterId: "WA-1", firstName: "Ada", lastName: "Smith", address: "1204 Oak St" },
  ...{ city: "Kent", county: "King", zip: "98030", sheet: 12, line: 4, signedOn: "2026-11-01" },
};

const submit = vi.fn();
const actions: EntryActions = {
  ...{ submitLine: submit, submitRemoval: submit },
  ...{ submitOpenSheet: submit, submitCloseSheet: submit },
};
const sender = entrySender(actions, place);
const answers = vi.fn<(path: string, init: RequestInit) => Promise<Response>>();
const sentForm = () => Object.fromEntries(submit.mock.calls[0]?.[1] ?? []);

beforeEach(() => {
  vi.stubGlobal("fetch", answers);
  answers.mockImplementation(() => Promise.resolve(Response.json({ fingerprint: "f" })));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

describe("sending a line", () => {
  it("sends what the action takes, with the line's own id and time", async () => {
    submit.mockResolvedValue({ message: "Accepted.", error: null, data: { outcome: "accepted" } });
    expect(await sender.send(entry(signature))).toEqual({ outcome: "accepted" });
    const { kind: _, ...line } = signature as Extract<What, { kind: "signature" }>;
    const shared = { id: entry(signature).id, team: "riverside", campaign: "clean-water" };
    const enteredAt = "2026-11-03T12:00:00.000Z";
    expect(JSON.parse(sentForm().line)).toEqual({ ...shared, enteredAt, verdict: "accepted", ...line });
  });

  it("keeps what was typed as the note of a line without a reason of its own", async () => {
    submit.mockResolvedValue({ message: "", error: null, data: { outcome: "rejected" } });
    const what: What = {
      ...{ kind: "rejected", verdict: "not-found", voterId: null, name: "oka, b", note: null, sheet: 12, line: 4 },
    };
    expect(await sender.send(entry(what))).toEqual({ outcome: "rejected" });
    expect(JSON.parse(sentForm().line)).toMatchObject({ verdict: "not-found", note: "oka, b", voterId: null });
  });

  it("sends the day of a line that is outside the campaign's", async () => {
    submit.mockResolvedValue({ message: "", error: null, data: { outcome: "rejected" } });
    const what: What = {
      ...{ kind: "rejected", verdict: "outside-dates", voterId: null, name: null, note: null, sheet: 12, line: 4 },
      signedOn: "2026-08-01",
    };
    expect(await sender.send(entry(what))).toEqual({ outcome: "rejected" });
    expect(JSON.parse(sentForm().line)).toMatchObject({ verdict: "outside-dates", signedOn: "2026-08-01" });
  });

  it.each([
    [
      { message: null, error: "No.", data: { outcome: "refused" } },
      { outcome: "refused", error: "No." },
    ],
    [
      { message: null, error: "Later.", data: { outcome: "later" } },
      { outcome: "later", trouble: "unavailable" },
    ],
    [
      { message: null, error: "What?" },
      { outcome: "later", trouble: "unavailable" },
    ],
    [
      {
        ...{ message: null, error: "One field needs a change.", data: { outcome: "refused" } },
        zodIssues: [{ code: "custom", path: ["line", "signedOn"], message: "is in the future" }],
      },
      { outcome: "refused", error: "The day signed is in the future." },
    ],
    [
      { message: "", error: null, data: { outcome: "duplicate", of: { ownTeam: false } } },
      { outcome: "duplicate", of: { ownTeam: false } },
    ],
  ])("reads the form state %#", async (state, sent) => {
    submit.mockResolvedValue(state);
    expect(await sender.send(entry(signature))).toEqual(sent);
  });

  it("an ended session: says so, and calls no action, which would leave the page", async () => {
    answers.mockImplementation(() => Promise.resolve(Response.json({ error: "" }, { status: 401 })));
    expect(await sender.send(entry(signature))).toEqual({ outcome: "later", trouble: "signed-out" });
    expect(submit).not.toHaveBeenCalled();
  });

  it.each([
    ["no connection", () => Promise.reject(new TypeError("Failed to fetch")), "connection"],
    ["Signet away", async () => Response.json({ error: "Away." }, { status: 503 }), "unavailable"],
  ])("%s when the session is asked for: later, and no action is called", async (_case, respond, trouble) => {
    answers.mockImplementation(respond);
    expect(await sender.send(entry(signature))).toEqual({ outcome: "later", trouble });
    expect(submit).not.toHaveBeenCalled();
  });

  it.each([
    ["no connection", new TypeError("Failed to fetch"), "connection"],
    ["a redirect to the sign-in", Object.assign(new Error("r"), { digest: "NEXT_REDIRECT;push;/login" }), "signed-out"],
    ["an answer that is none", new Error("An unexpected response was received from the server."), "unavailable"],
  ])("%s: later", async (_case, error, trouble) => {
    submit.mockRejectedValue(error);
    expect(await sender.send(entry(signature))).toEqual({ outcome: "later", trouble });
  });

  it("a server that no longer knows the page's action: later, after a reload", async () => {
    const { UnrecognizedActionError } = await import("next/dist/client/components/unrecognized-action-error");
    submit.mockRejectedValue(new UnrecognizedActionError("not found"));
    expect(await sender.send(entry(signature))).toEqual({ outcome: "later", trouble: "updated" });
  });

  it("no answer: later, after 15 s", async () => {
    vi.useFakeTimers();
    submit.mockReturnValue(new Promise(() => undefined));
    const sent = sender.send(entry(signature));
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await sent).toEqual({ outcome: "later", trouble: "unavailable" });
    vi.useRealTimers();
  });

  it("an undo of a line that never got there is done; one that is not allowed is refused", async () => {
    const failed = (error: string) => ({ message: null, error, data: { outcome: "refused" } });
    submit.mockResolvedValueOnce(failed(lineRefusals["not-found"]));
    expect(await sender.send(entry({ kind: "undo", of: "x" }))).toEqual({ outcome: "done" });
    submit.mockResolvedValueOnce(failed(lineRefusals["not-allowed"]));
    expect(await sender.send(entry({ kind: "undo", of: "x" }))).toMatchObject({ outcome: "refused" });
  });

  it("pauses longer with each failure, and at most 30 s", () => {
    expect([0, 1, 2, 6, 50].map(pauseAfter)).toEqual([500, 1000, 2000, 30_000, 30_000]);
  });
});

describe("who has signed already", () => {
  const ask = async (
    detailsFor: string | null,
    respond: (path: string) => Response,
    voterIds = ["WA-1", "WA-2"],
  ): Promise<{ shown: SignedMarks[]; asked: string[] }> => {
    const shown: SignedMarks[] = [];
    answers.mockImplementation((path) => Promise.resolve(respond(path)));
    const { signal } = new AbortController();
    await askForMarks({ campaign: "clean-water", detailsFor }, voterIds, {
      show: (marks) => shown.push(marks),
      signal,
    });
    return { shown, asked: answers.mock.calls.map(([path]) => path) };
  };
  const exists = (marks: Record<string, boolean>) => Response.json({ exists: marks });
  const at = { ownTeam: true, enteredAt: "2026-11-03T12:00:00Z", enteredBy: "Jun Park", sheet: 3, line: 9 };

  it("without the key: yes or no, and no details are asked", async () => {
    const { shown, asked } = await ask(null, () => exists({ "WA-1": true, "WA-2": false }));
    expect(shown.map((marks) => Object.fromEntries(marks))).toEqual([
      { "WA-1": { state: "signed", at: null }, "WA-2": { state: "not-signed" } },
    ]);
    expect(asked).toEqual(["/api/duplicate/batch"]);
  });

  it("with the key: the fast answer first, then when, by whom and where; the database is the last word", async () => {
    const { shown } = await ask("riverside", (path) =>
      path === "/api/duplicate/batch"
        ? exists({ "WA-1": true, "WA-2": true })
        : Response.json({ signed: { "WA-1": at } }),
    );
    expect(shown.map((marks) => Object.fromEntries(marks))).toEqual([
      { "WA-1": { state: "signed", at: null }, "WA-2": { state: "signed", at: null } },
      { "WA-1": { state: "signed", at }, "WA-2": { state: "not-signed" } },
    ]);
  });

  it("the fast check away: the database answers for all; both away: not checked, never not signed", async () => {
    const away = Response.json({ error: "away" }, { status: 503 });
    const one = await ask("riverside", (path) =>
      path === "/api/duplicate/batch" ? away.clone() : Response.json({ signed: { "WA-1": at } }),
    );
    expect(one.shown.map((marks) => Object.fromEntries(marks))).toEqual([
      { "WA-1": { state: "signed", at }, "WA-2": { state: "not-signed" } },
    ]);
    for (const detailsFor of ["riverside", null]) {
      const { shown } = await ask(detailsFor, () => away.clone());
      expect(shown.map((marks) => Object.fromEntries(marks))).toEqual([
        { "WA-1": { state: "unchecked" }, "WA-2": { state: "unchecked" } },
      ]);
    }
  });

  it("nobody to ask for: nothing is asked", async () => {
    expect(await ask("riverside", () => exists({}), ["no id"])).toEqual({ shown: [], asked: [] });
  });
});
