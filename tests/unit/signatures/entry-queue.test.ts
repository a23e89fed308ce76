// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Entry, What } from "@/components/signatures/entry";
import { openEntryStore, storeName } from "@/components/signatures/entry-store";
import { readEntry } from "@/components/signatures/read-entry";
import { type Outcome, type Sent, sendEntries } from "@/components/signatures/send-entries";

const place = { team: "riverside", campaign: "clean-water" };
const ada = storeName({ userId: "0b7b0d1e-0000-4000-8000-000000000001", ...place });
const jun = storeName({ userId: "0b7b0d1e-0000-4000-8000-000000000002", ...place });

const line = (number: number, fields: object = {}): What => ({
  kind: "signature",
  voterId: `WA-${number}`,
  firstName: "Ada",
  lastName: "Smith",
  address: "1204 Oak St",
  city: "Kent",
  county: "King",
  zip: "98030",
  sheet: 12,
  line: number,
  signedOn: null,
  ...fields,
});
const numbers = (entries: readonly Entry[]) => entries.map(({ what }) => ("line" in what ? what.line : what.kind));

beforeEach(() => localStorage.clear());
afterEach(() => vi.restoreAllMocks());

describe("what a browser keeps", () => {
  it("outlasts the page, in order, with the same ids and what was typed", () => {
    const store = openEntryStore(ada, readEntry);
    const added = [1, 2, 3].map((number) => store.add(line(number)));
    expect(added.map(({ kept }) => kept)).toEqual([true, true, true]);
    const again = openEntryStore(ada, readEntry).reread();
    expect(again).toEqual(added.map(({ entry }) => entry));
    expect(new Set(again.map(({ id }) => id)).size).toBe(3);
    expect(again[0]?.what).toEqual(line(1));
  });

  it("keeps the order of more lines than milliseconds, and when the clock goes back", () => {
    const store = openEntryStore(ada, readEntry);
    vi.spyOn(Date, "now").mockReturnValueOnce(2_000).mockReturnValueOnce(2_000).mockReturnValueOnce(1_000);
    for (const number of [1, 2, 3]) store.add(line(number));
    expect(numbers(openEntryStore(ada, readEntry).reread())).toEqual([1, 2, 3]);
  });

  it("shows another user, team or campaign nothing", () => {
    openEntryStore(ada, readEntry).add(line(1));
    expect(openEntryStore(jun, readEntry).reread()).toEqual([]);
    const userId = "0b7b0d1e-0000-4000-8000-000000000001";
    expect(openEntryStore(storeName({ ...place, userId, campaign: "clean-water-2" })).reread()).toEqual([]);
    expect(openEntryStore(storeName({ ...place, userId, team: "hillside" })).reread()).toEqual([]);
  });

  it("two tabs that add at once keep the lines of both", () => {
    const [one, two] = [openEntryStore(ada, readEntry), openEntryStore(ada, readEntry)];
    one.add(line(1));
    two.add(line(2));
    one.add(line(3));
    expect(numbers(one.reread())).toEqual([1, 2, 3]);
    expect(numbers(two.reread())).toEqual([1, 2, 3]);
  });

  it("a full storage: says so, and the line lasts as long as the page", () => {
    const store = openEntryStore(ada, readEntry);
    store.add(line(1));
    const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    const { entry, kept } = store.add(line(2));
    expect(kept).toBe(false);
    expect(numbers(store.entries())).toEqual([1, 2]);
    const [first] = store.entries();
    if (first) store.put({ ...first, tried: true }); // the longer text no longer fits
    expect(store.entries().map(({ tried }) => tried)).toEqual([true, false]);
    full.mockRestore();
    store.remove(entry.id);
    expect(numbers(store.entries())).toEqual([1]);
  });

  it("is read as earlier pages kept it: a line that does not count, without its day", () => {
    const what = {
      ...{ kind: "rejected", verdict: "not-found", voterId: null, name: "oka, b", note: null, sheet: 12, line: 4 },
    };
    const kept = { id: "x", order: 5, at: "2026-11-03T12:00:00.000Z", tried: true, refused: null, what };
    localStorage.setItem(`${ada}:5:x`, JSON.stringify(kept));
    expect(openEntryStore(ada, readEntry).reread()).toEqual([kept]);
  });

  it.each([
    ["no JSON", "{"],
    ["another shape", '{"id":"x","what":{"kind":"signature","voterId":7}}'],
    ["nothing", "null"],
  ])("%s: stays visible, and is not sent", async (_case, kept) => {
    localStorage.setItem(`${ada}:5:x`, kept);
    const store = openEntryStore(ada, readEntry);
    const [entry] = store.reread();
    expect(entry?.what).toEqual({ kind: "unreadable", text: kept });
    expect(entry?.refused).toMatch(/Enter the line again/);
    const send = vi.fn<(entry: Entry) => Promise<Sent>>();
    await sendEntries(ada, { store, send, onOutcome: () => undefined, signal: new AbortController().signal });
    expect(send).not.toHaveBeenCalled();
    expect(localStorage.getItem(`${ada}:5:x`)).toBe(kept);
    store.remove("x");
    expect(localStorage).toHaveLength(0);
  });
});

describe("sending", () => {
  const signal = new AbortController().signal;
  const run = async (answers: (entry: Entry, times: number) => Sent | Promise<Sent>) => {
    const store = openEntryStore(ada, readEntry);
    const sent: Entry[] = [];
    const outcomes: [number | string | undefined, Outcome][] = [];
    const waiting = await sendEntries(ada, {
      store,
      send: async (entry) => {
        sent.push(entry);
        return answers(entry, sent.length);
      },
      onOutcome: (entry, outcome) => {
        expect(store.entries()).toContainEqual(expect.objectContaining({ id: entry.id })); // told before it leaves
        outcomes.push([numbers([entry])[0], outcome]);
      },
      signal,
    });
    return { waiting, sent: numbers(sent), outcomes, left: numbers(store.reread()) };
  };
  const add = (...lines: number[]) => {
    const store = openEntryStore(ada, readEntry);
    for (const number of lines) store.add(line(number));
  };

  it("one after the other, in order, each once", async () => {
    add(1, 2, 3);
    let busy = false;
    const done = await run(async () => {
      expect(busy).toBe(false);
      busy = true;
      await Promise.resolve();
      busy = false;
      return { outcome: "accepted" };
    });
    expect(done).toMatchObject({ waiting: null, sent: [1, 2, 3], left: [] });
    expect(localStorage).toHaveLength(0);
  });

  it("stops at a line that has to wait, and goes on with it later under the same id", async () => {
    add(1, 2, 3);
    const ids = openEntryStore(ada, readEntry)
      .reread()
      .map(({ id }) => id);
    const first = await run((_entry, times) =>
      times === 2 ? { outcome: "later", trouble: "connection" } : { outcome: "accepted" },
    );
    expect(first).toMatchObject({ waiting: { trouble: "connection" }, sent: [1, 2], left: [2, 3] });
    expect(
      openEntryStore(ada, readEntry)
        .reread()
        .map(({ id }) => id),
    ).toEqual(ids.slice(1));
    expect(await run(() => ({ outcome: "accepted" }))).toMatchObject({ waiting: null, sent: [2, 3], left: [] });
  });

  it("a refused line stays with its reason, and does not hold up those behind it", async () => {
    add(1, 2, 3);
    const done = await run((_entry, times) =>
      times === 1 ? { outcome: "refused", error: "This may not be." } : { outcome: "accepted" },
    );
    expect(done).toMatchObject({ waiting: null, sent: [1, 2, 3], left: [1] });
    expect(openEntryStore(ada, readEntry).reread()[0]?.refused).toBe("This may not be.");
    expect((await run(() => ({ outcome: "accepted" }))).sent).toEqual([]);
  });

  it("a duplicate that is found then is told, with where", async () => {
    add(1);
    const of = { ownTeam: false } as const;
    const { outcomes } = await run(() => ({ outcome: "duplicate", of }));
    expect(outcomes).toEqual([[1, { outcome: "duplicate", of }]]);
  });

  it("a line that was discarded while it was sent does not come back", async () => {
    add(1);
    const done = await run((entry) => {
      openEntryStore(ada, readEntry).reread();
      for (const key of Object.keys(localStorage)) if (key.endsWith(entry.id)) localStorage.removeItem(key);
      return { outcome: "refused", error: "no" };
    });
    expect(done.left).toEqual([]);
  });

  it("one tab at a time", async () => {
    const names: string[] = [];
    vi.stubGlobal("navigator", {
      locks: {
        request: (name: string, _options: object, act: () => Promise<unknown>) => {
          names.push(name);
          return act();
        },
      },
    });
    add(1);
    await run(() => ({ outcome: "accepted" }));
    vi.unstubAllGlobals();
    expect(names).toEqual([ada]);
  });
});
