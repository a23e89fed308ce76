import { describe, expect, it } from "vitest";
import type { Entry, What } from "@/components/signatures/entry";
import { entryTotals } from "@/components/signatures/entry-totals";
import type { Outcome } from "@/components/signatures/send-entries";
import { type Settled, shownLines } from "@/components/signatures/shown-lines";
import { waitingText } from "@/components/signatures/waiting-notice";
import { formatOf } from "@/lib/format/format-of";
import type { EntryState, StoredLine } from "@/lib/signatures/answers";

const at = (minute: number) => `2026-11-03T12:${String(minute).padStart(2, "0")}:00.000Z`;

const stored = (number: number, fields: Partial<StoredLine> = {}): StoredLine => ({
  ...{ id: `line-${number}`, verdict: "accepted", voterId: `WA-${number}`, firstName: "Ada", lastName: "Smith" },
  ...{ city: "Kent", zip: "98030", sheet: 12, line: number, note: null, enteredAt: at(number), removedAt: null },
  ...fields,
});
const state = (lines: StoredLine[], fields: Partial<EntryState> = {}): EntryState => ({
  ...{ at: at(30), timeZone: "UTC", today: "2026-11-03", goal: 50_000, startsOn: null, endsOn: null },
  ...{ linesPerSheet: 20, campaign: { accepted: 100 }, days: [], sheets: [], sheet: null, lines },
  mine: { accepted: lines.length, duplicates: 0, rejected: 0, lastHour: lines.length, lastHourSince: at(0) },
  ...fields,
});
const signature = (line: number): What => ({
  ...{ kind: "signature", voterId: `WA-${line}`, firstName: "Ben", lastName: "Okafor", address: "31 Hill St" },
  ...{ city: "Kent", county: "King", zip: "98030", sheet: 12, line, signedOn: null },
});
const entry = (number: number, what: What = signature(number), fields: Partial<Entry> = {}): Entry => ({
  ...{ id: `line-${number}`, order: number, at: at(number), tried: false, refused: null, what },
  ...fields,
});
const settled = (number: number, outcome: Outcome, what?: What): Settled => ({ entry: entry(number, what), outcome });
const undo = (of: number, number: number) => entry(number, { kind: "undo", of: `line-${of}` }, { id: `undo-${of}` });

const show = (given: Partial<Parameters<typeof shownLines>[0]>) =>
  shownLines({ entries: [], settled: [], state: state([]), waiting: false, format: formatOf(), ...given });
const summary = (given: Partial<Parameters<typeof shownLines>[0]>) =>
  show(given).map(({ line, name, state: standing, words }) => [line, name, standing, words]);

describe("the list", () => {
  it("has each line once, the newest first: on its way, sent by this page, stored before", () => {
    const lines = [stored(1), stored(2)];
    expect(
      summary({
        state: state(lines),
        settled: [settled(2, { outcome: "accepted" }), settled(3, { outcome: "accepted" })],
        entries: [entry(3), entry(4)],
      }),
    ).toEqual([
      [4, "Okafor, Ben", "sending", "sending"],
      [3, "Okafor, Ben", "accepted", "accepted"],
      [2, "Okafor, Ben", "accepted", "accepted"],
      [1, "Smith, Ada", "accepted", "accepted"],
    ]);
  });

  it("says that lines wait once sending has stopped, and why one is refused", () => {
    const refused = entry(2, signature(2), { refused: "Another line was stored under this line's id." });
    expect(summary({ entries: [entry(1), refused], waiting: true })).toEqual([
      [2, "Okafor, Ben", "refused", "Another line was stored under this line's id."],
      [1, "Okafor, Ben", "waiting", "waits"],
    ]);
  });

  it.each<[string, Outcome, string]>([
    [
      "of the own team",
      {
        outcome: "duplicate",
        of: { ownTeam: true, enteredAt: at(0), enteredBy: "Jun Park", sheet: 3, line: 9 },
      },
      "duplicate of sheet 3, line 9",
    ],
    ["of another team", { outcome: "duplicate", of: { ownTeam: false } }, "duplicate · with another team"],
    ["of a line that is gone", { outcome: "duplicate", of: null }, "duplicate"],
  ])("a duplicate %s says so", (_case, outcome, words) => {
    expect(summary({ settled: [settled(1, outcome)] })).toEqual([[1, "Okafor, Ben", "duplicate", words]]);
  });

  it.each([
    ["accepted", "accepted", "accepted"],
    ["duplicate", "duplicate", "duplicate"],
    ["outside-dates", "rejected", "outside dates"],
    ["other", "rejected", "other reason"],
  ] as const)("a line that was sent or stored as %s is %s", (verdict, standing, words) => {
    const what: What =
      verdict === "accepted"
        ? signature(1)
        : { kind: "rejected", verdict, voterId: null, name: null, note: null, sheet: 12, line: 1 };
    const outcome = { outcome: verdict === "accepted" ? "accepted" : "rejected" } as const;
    expect(show({ settled: [settled(1, outcome, what)] })).toMatchObject([{ state: standing, words }]);
    const before = state([stored(1, { verdict })]);
    expect(show({ state: before })).toMatchObject([{ state: standing, words, signature: verdict === "accepted" }]);
  });

  it("shows an undo at once, keeps it when it is done, and takes it back when it is refused", () => {
    const shownWith = (given: Partial<Parameters<typeof shownLines>[0]>) =>
      show({ state: state([stored(1)]), ...given }).find(({ id }) => id === "line-1")?.state;
    expect(shownWith({ entries: [undo(1, 2)] })).toBe("undone");
    expect(shownWith({ settled: [{ entry: undo(1, 2), outcome: { outcome: "removed" } }] })).toBe("undone");
    expect(shownWith({ state: state([stored(1, { removedAt: at(3) })]) })).toBe("undone");
    const refused = { ...undo(1, 2), refused: "You may not do this any more." };
    expect(shownWith({ entries: [refused] })).toBe("accepted");
    expect(summary({ state: state([stored(1)]), entries: [refused] })[0]).toEqual([
      ...[1, "Undo Smith, Ada", "refused", "You may not do this any more."],
    ]);
  });

  it("shows what was kept as typed, and what nobody can read", () => {
    const typed: What = {
      ...{ kind: "typed", lastName: "oka", firstName: "b", houseNumber: "31", sheet: 12, line: 5, signedOn: null },
    };
    const unreadable = entry(6, { kind: "unreadable", text: "{" }, { refused: "It cannot be read any more." });
    expect(summary({ entries: [entry(5, typed), unreadable] })).toEqual([
      [null, "A line kept on this device", "refused", "It cannot be read any more."],
      [5, "oka, b", "typed", "to be looked up"],
    ]);
  });

  it.each([
    [
      stored(1, { verdict: "not-found", voterId: null, firstName: null, lastName: null, note: "oka, b" }),
      "oka, b",
      "Kent 98030",
    ],
    [stored(1, { verdict: "duplicate", firstName: null, lastName: null }), "Voter WA-1", "Kent 98030"],
    [stored(1, { verdict: "other", voterId: null, firstName: null, lastName: null, note: "torn" }), "", "torn"],
  ])("a stored line without a name: %#", (line, name, detail) => {
    expect(show({ state: state([line]) })).toMatchObject([{ name, detail }]);
  });
});

describe("the totals", () => {
  const totals = (given: Partial<Parameters<typeof shownLines>[0]>) =>
    entryTotals(given.state ?? state([]), show(given));

  it("add what this page has sent since they were read, and nothing twice", () => {
    const read = state([stored(1), stored(2)]);
    expect(
      totals({
        state: read,
        settled: [
          settled(2, { outcome: "accepted" }),
          settled(3, { outcome: "accepted" }),
          settled(4, { outcome: "duplicate", of: null }),
        ],
        entries: [entry(5)],
      }),
    ).toEqual({ entered: 4, accepted: 3, duplicates: 1, rejected: 0, validity: 0.75, pace: 8, campaign: 101 });
  });

  it("take an undone line off, whether it was read or not, and once", () => {
    const read = state([stored(1), stored(2)]);
    const undone = {
      entries: [undo(1, 5)],
      settled: [settled(3, { outcome: "accepted" }), { entry: undo(3, 6), outcome: { outcome: "removed" } as const }],
    };
    expect(totals({ state: read, ...undone })).toMatchObject({ entered: 1, accepted: 1, campaign: 99 });
    const after = state([stored(1, { removedAt: at(5) }), stored(2)], { mine: { ...read.mine, accepted: 1 } });
    expect(totals({ state: after, ...undone })).toMatchObject({ entered: 1, accepted: 1, campaign: 100 });
  });

  it("say nothing of validity and pace before the first line", () => {
    const empty = state([], { mine: { accepted: 0, duplicates: 0, rejected: 0, lastHour: 0, lastHourSince: null } });
    expect(totals({ state: empty })).toMatchObject({ entered: 0, validity: null, pace: null });
  });
});

describe("what is said of lines that wait", () => {
  const three = [entry(1), entry(2), entry(3)];
  it.each([
    [three, "connection", "3 lines wait for the connection, will be sent on their own."],
    [[entry(1)], "connection", "1 line waits for the connection, will be sent on its own."],
    [[undo(1, 2)], "connection", "1 change waits for the connection, will be sent on its own."],
    [three, "unavailable", "3 lines wait: Signet does not answer at the moment. They will be sent on their own."],
    [three, "signed-out", "Your session has ended, and 3 lines wait. Sign in again; nothing is lost."],
    [three, "updated", "Signet was updated, and 3 lines wait. Reload the page; nothing is lost."],
  ] as const)("%#", (entries, trouble, text) => {
    expect(waitingText(entries, { outcome: "later", trouble })).toBe(text);
  });
});
