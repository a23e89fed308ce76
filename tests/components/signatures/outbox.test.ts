import { describe, expect, it, vi } from "vitest";
import type { OutboxItem, OutboxLine, SendableItem } from "@/lib/signatures/outbox/outbox";
import { outboxCsv } from "@/lib/signatures/outbox/outbox";
import { readItem } from "@/lib/signatures/outbox/read-saved";
import { type Blocked, type Outcome, sendOutbox } from "@/lib/signatures/outbox/send";
import { openOutbox, outboxName } from "@/lib/signatures/outbox/store";
import type { ChangeOutcome } from "@/lib/signatures/responses";
import { rejected, signature, storedLine } from "../../support/entry-lines.ts";

const place = { team: "riverside", campaign: "clean-water" };
const ada = outboxName({ userId: "0b7b0d1e-0000-4000-8000-000000000001", ...place });
const jun = outboxName({ userId: "0b7b0d1e-0000-4000-8000-000000000002", ...place });

const line = (number: number, fields: object = {}): OutboxLine => ({ ...signature(number), ...fields });
const taken = storedLine(1, { id: "0b7b0d1e-0000-4000-8000-000000000009", mine: false });
const reread = () => openOutbox(ada, readItem).reread();
/** Fills the browser's storage until the spy is restored. */
const fill = () =>
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
const numbers = (entries: readonly OutboxItem[]) =>
  entries.map(({ change }) => ("line" in change ? change.line : change.kind));

describe("the outbox of a browser", () => {
  it("survives the page, in order, with the same IDs and texts", () => {
    const store = openOutbox(ada, readItem);
    const added = [1, 2, 3].map((number) => store.add(line(number)));
    expect(added.map(({ isSaved }) => isSaved)).toEqual([true, true, true]);
    const again = reread();
    expect(again).toEqual(added.map(({ item }) => item));
    expect(new Set(again.map(({ id }) => id)).size).toBe(3);
    expect(again[0]?.change).toEqual(line(1));
  });

  it("keeps its order when a wrong clock is corrected, within a millisecond, and across tabs", () => {
    const right = Date.now();
    const clock = vi.spyOn(Date, "now").mockReturnValue(right + 365 * 86_400_000);
    const first = openOutbox(ada, readItem);
    for (const number of [1, 2]) first.add(line(number));
    clock.mockReturnValue(right);
    openOutbox(ada, readItem).add(line(3));
    first.add(line(4));
    expect(numbers(reread())).toEqual([1, 2, 3, 4]);
  });

  it("is empty for another user, team or campaign", () => {
    openOutbox(ada, readItem).add(line(1));
    expect(openOutbox(jun, readItem).reread()).toEqual([]);
    const userId = "0b7b0d1e-0000-4000-8000-000000000001";
    expect(openOutbox(outboxName({ ...place, userId, campaign: "clean-water-2" })).reread()).toEqual([]);
    expect(openOutbox(outboxName({ ...place, userId, team: "hillside" })).reread()).toEqual([]);
  });

  it("keeps the lines of two tabs that add at once", () => {
    const [first, second] = [openOutbox(ada, readItem), openOutbox(ada, readItem)];
    first.add(line(1));
    second.add(line(2));
    first.add(line(3));
    expect(numbers(first.reread())).toEqual([1, 2, 3]);
    expect(numbers(second.reread())).toEqual([1, 2, 3]);
  });

  it("says when the storage is full, and keeps the line as long as the page", () => {
    const store = openOutbox(ada, readItem);
    store.add(line(1));
    const full = fill();
    const { item, isSaved } = store.add(line(2));
    expect(isSaved).toBe(false);
    expect(numbers(store.items())).toEqual([1, 2]);
    const [first] = store.items();
    const refused = { reason: "archived", error: "This campaign is archived." } as const;
    if (first) store.update({ ...first, refused }); // the longer text doesn't fit
    expect(store.items().map((entry) => entry.refused)).toEqual([refused, null]);
    full.mockRestore();
    store.remove(item.id);
    expect(numbers(store.items())).toEqual([1]);
  });

  const rejectedLine = rejected(4, "not-found", { name: "oka, b" });
  const save = (fields: object) => {
    const saved = { id: "x", order: 5, at: "2026-11-03T12:00:00.000Z", refused: null, change: rejectedLine, ...fields };
    localStorage.setItem(`${ada}:5:x`, JSON.stringify(saved));
    return saved;
  };

  it("restores why a line was refused and the line in its place, or the reason alone when that can't be read", () => {
    const saved = save({ refused: { reason: "line-taken", error: "It is taken.", taken } });
    expect(reread()).toEqual([saved]);
    const refused = { reason: "line-taken", error: "It is taken." };
    save({ refused: { ...refused, taken: { verdict: "x" } } });
    expect(reread()).toEqual([{ ...saved, refused }]);
  });

  it("holds a sheet with its paper data, and a blank line", () => {
    const paper = { circulator: "Rosa", collectedOn: "2026-11-01", signatureCount: 18 };
    const store = openOutbox(ada, readItem);
    store.add({ kind: "open-sheet", sheet: 12, paper });
    store.add(rejected(3, "blank"));
    expect(reread()).toEqual(store.items());
    expect(store.items().map(({ change }) => change.kind)).toEqual(["open-sheet", "line"]);
  });

  it.each([
    ["an entry that isn't JSON", "{"],
    ["an entry of another shape", '{"id":"x","change":{"kind":"line","voterId":7}}'],
  ])("shows %s without sending it", async (_case, saved) => {
    localStorage.setItem(`${ada}:5:x`, saved);
    const store = openOutbox(ada, readItem);
    const [entry] = store.reread();
    expect(entry?.change).toEqual({ kind: "unreadable", text: saved });
    expect(entry?.refused?.error).toMatch(/Enter the line again/);
    const send = vi.fn<() => Promise<Blocked>>();
    await sendOutbox(ada, { outbox: store, send, onOutcome: () => undefined, signal: new AbortController().signal });
    expect(send).not.toHaveBeenCalled();
    expect(localStorage.getItem(`${ada}:5:x`)).toBe(saved);
    store.remove("x");
    expect(localStorage).toHaveLength(0);
  });
});

describe("sending", () => {
  const signal = new AbortController().signal;
  type Answer = (entry: SendableItem, times: number) => ChangeOutcome;
  // At most two lines a request, so that there are several requests.
  const run = async (
    response: Answer,
    { during = () => undefined as unknown, waits = null as Blocked | null } = {},
  ) => {
    const store = openOutbox(ada, readItem);
    const sent: (string | number)[][] = [];
    const outcomes: [number | string | undefined, Outcome][] = [];
    let times = 0;
    const waiting = await sendOutbox(ada, {
      outbox: store,
      send: async (entries) => {
        const first = entries.slice(0, 2);
        sent.push(numbers(first));
        await during();
        return waits ?? first.map((entry) => ({ id: entry.id, ...response(entry, ++times) }));
      },
      onOutcome: (entry, outcome) => {
        expect(store.items()).toContainEqual(expect.objectContaining({ id: entry.id })); // reported before it is removed
        outcomes.push([numbers([entry])[0], outcome]);
      },
      signal,
    });
    return { waiting, sent, outcomes, left: numbers(store.reread()) };
  };
  const add = (...lines: number[]) => {
    const store = openOutbox(ada, readItem);
    for (const number of lines) store.add(line(number));
  };
  const ids = () => reread().map(({ id }) => id);
  const stored = (): ChangeOutcome => ({ outcome: "stored", verdict: "accepted" });

  it("sends each line once and in order, one request after another", async () => {
    add(1, 2, 3, 4, 5);
    let busy = false;
    const done = await run(stored, {
      during: async () => {
        expect(busy).toBe(false);
        busy = true;
        await Promise.resolve();
        busy = false;
      },
    });
    expect(done).toMatchObject({ waiting: null, sent: [[1, 2], [3, 4], [5]], left: [] });
    expect(done.outcomes.map(([number]) => number)).toEqual([1, 2, 3, 4, 5]);
    expect(localStorage).toHaveLength(0);
  });

  it("sends a line entered during a request with the next one", async () => {
    add(1);
    let isAdded = false;
    const during = () => {
      if (!isAdded) add(2);
      isAdded = true;
    };
    expect(await run(stored, { during })).toMatchObject({ sent: [[1], [2]], left: [] });
  });

  it("keeps all lines without an answer, and sends them again under the same IDs", async () => {
    add(1, 2, 3);
    const before = ids();
    const waiting = { blockedBy: "connection" } as const;
    expect(await run(stored, { waits: waiting })).toMatchObject({ waiting, sent: [[1, 2]], left: [1, 2, 3] });
    expect(ids()).toEqual(before);
    expect(await run(stored)).toMatchObject({ waiting: null, sent: [[1, 2], [3]], left: [] });
  });

  it("stops at a line that has to wait, before all lines after it", async () => {
    add(1, 2, 3);
    const before = ids();
    const first = await run((_entry, times) => (times === 2 ? { outcome: "later" } : stored()));
    expect(first).toMatchObject({ waiting: { blockedBy: "unavailable" }, sent: [[1, 2]], left: [2, 3] });
    expect(ids()).toEqual(before.slice(1));
    expect(await run(stored)).toMatchObject({ waiting: null, sent: [[2, 3]], left: [] });
  });

  it("keeps a refused line with its reason, and sends those after it", async () => {
    add(1, 2, 3);
    const done = await run((_entry, times) => {
      if (times === 1) return { outcome: "refused", why: "archived", error: "It is archived." };
      return times === 2 ? { outcome: "line-taken", taken, error: "It is taken." } : stored();
    });
    expect(done).toMatchObject({ waiting: null, sent: [[1, 2], [3]], left: [1, 2] });
    expect(reread().map(({ refused }) => refused)).toEqual([
      { reason: "archived", error: "It is archived." },
      { reason: "line-taken", error: "It is taken.", taken },
    ]);
    expect((await run(stored)).sent).toEqual([]);
  });

  it("reports a duplicate with its first line", async () => {
    add(1);
    const signedAt = { ownTeam: false } as const;
    const { outcomes } = await run(() => ({ outcome: "duplicate", of: signedAt }));
    expect(outcomes).toEqual([[1, expect.objectContaining({ outcome: "duplicate", of: signedAt })]]);
  });

  it("drops a line that was discarded while it was sent", async () => {
    add(1);
    const done = await run((entry) => {
      for (const key of Object.keys(localStorage)) if (key.endsWith(entry.id)) localStorage.removeItem(key);
      return { outcome: "refused", why: "archived", error: "no" };
    });
    expect(done.left).toEqual([]);
  });

  it("sends lines that the full storage couldn't save, in order", async () => {
    const store = openOutbox(ada, readItem);
    store.add(line(1));
    const full = fill();
    store.add(line(2));
    const sent: (string | number)[] = [];
    const send = async (entries: readonly SendableItem[]) => {
      sent.push(...numbers(entries));
      return entries.map(({ id }) => ({ id, ...stored() }));
    };
    expect(await sendOutbox(ada, { outbox: store, send, onOutcome: () => undefined, signal })).toBeNull();
    full.mockRestore();
    expect([sent, store.items(), localStorage.length]).toEqual([[1, 2], [], 0]);
  });

  it("lets two tabs take turns", async () => {
    const locks = new Map<string, Promise<unknown>>();
    const request = (name: string, _options: object, act: () => Promise<unknown>) => {
      const done = (locks.get(name) ?? Promise.resolve()).then(act);
      locks.set(name, done);
      return done;
    };
    vi.stubGlobal("navigator", { locks: { request } });
    add(1, 2, 3);
    const tabs = await Promise.all([run(stored), run(stored)]);
    vi.unstubAllGlobals();
    expect([...locks.keys()]).toEqual([ada]);
    expect(tabs.flatMap(({ sent }) => sent)).toEqual([[1, 2], [3]]);
  });
});

describe("the file of unsent lines", () => {
  it("has a row for each entry, with what was typed and why it was refused", () => {
    const store = openOutbox(ada, readItem);
    const { item } = store.add(line(4, { firstName: "=1+1", name: null }));
    const paper = { circulator: "Rosa", collectedOn: null, signatureCount: 18 };
    const sheet = store.add({ kind: "open-sheet", sheet: 12, paper }).item;
    const refused = { reason: "line-taken", error: "The line is taken." } as const;
    const [head, ...rows] = outboxCsv([{ ...item, refused }, sheet])
      .trimEnd()
      .split("\r\n");
    expect(head).toMatch(/"kind","sheet","line","verdict",.*"circulator","collectedOn","signatureCount",.*"refused"$/);
    const [address, reason] = ['"31 Hill St","Kent","King","98030"', '"The line is taken."'];
    expect(rows).toEqual([
      `"${item.id}","${item.at}","line",12,4,"accepted","WA-4","Okafor","'=1+1",,${address},,,,,,,,,${reason}`,
      `"${sheet.id}","${sheet.at}","open-sheet",12,,,,,,,,,,,,,,"Rosa",,18,,,`,
    ]);
  });
});
