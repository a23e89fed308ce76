import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { retryDelayMs } from "@/components/signatures/entry/use-outbox";
import { changesSchema } from "@/lib/signatures/changes";
import type { SendableItem } from "@/lib/signatures/outbox/outbox";
import { changeSender } from "@/lib/signatures/outbox/send";
import { rejected as rejectedLine, signature as signatureLine, storedLine } from "../../support/entry-lines.ts";

const userId = "0b7b0d1e-0000-4000-8000-000000000001";
const place = { team: "riverside", campaign: "clean-water" };
const id = "5f0c54b2-9a39-4d62-9a0b-0d6f6d0f7f10";
const enteredAt = "2026-11-03T12:00:00.000Z";
const entry = (change: SendableItem["change"], itemId = id): SendableItem => ({
  id: itemId,
  order: 1,
  at: enteredAt,
  refused: null,
  change,
});
const signature = { ...signatureLine(4), signedOn: "2026-11-01" };
const rejected = rejectedLine(5, "not-found", { name: "oka, b" });
const paper = { circulator: "Rosa", collectedOn: null, signatureCount: 18 };

const sender = changeSender({ userId, ...place });
const fetched = vi.fn<(path: string, init: RequestInit) => Promise<Response>>();
const bodies = () => fetched.mock.calls.map(([, init]) => JSON.parse(String(init.body)));

beforeEach(() => {
  vi.stubGlobal("fetch", fetched);
  fetched.mockImplementation(async (_path, { body }) => {
    const { changes } = JSON.parse(String(body));
    const outcomes = changes.map((change: { id: string }) => ({ id: change.id, outcome: "stored" }));
    return Response.json({ outcomes });
  });
});
afterEach(() => {
  vi.resetAllMocks();
});

describe("a request", () => {
  it("holds all changes in order: lines with their IDs and times, undos and sheets", async () => {
    const entries = [
      entry({ kind: "open-sheet", sheet: 12, paper }, "a"),
      entry(signature, "b"),
      entry(rejected, "c"), // saved by an earlier version, which had only a name
      entry({ ...rejected, lastName: "oka", firstName: "b" }, "n"),
      entry({ ...rejected, verdict: "blank", name: null, line: 6 }, "d"),
      entry({ kind: "undo", of: "b" }, "e"),
      entry({ kind: "close-sheet", sheet: 12 }, "f"),
    ];
    const outcomes = entries.map((item) => ({ id: item.id, outcome: "stored" }));
    expect(await sender.send(entries)).toEqual(outcomes);
    expect(fetched.mock.calls.map(([path, { method }]) => [path, method])).toEqual([["/api/signatures", "POST"]]);
    const { name: _, ...line } = signature;
    const { name: __, ...rest } = { ...rejected, enteredAt };
    expect(bodies()).toEqual([
      {
        ...place,
        clerk: userId,
        changes: [
          { id: "a", kind: "open-sheet", sheet: 12, paper },
          { ...line, id: "b", enteredAt },
          { ...rest, id: "c", note: "oka, b" },
          { ...rest, id: "n", lastName: "oka", firstName: "b" },
          { ...rest, id: "d", verdict: "blank", line: 6 },
          { id: "e", kind: "undo", of: "b" },
          { id: "f", kind: "close-sheet", sheet: 12 },
        ],
      },
    ]);
    expect(changesSchema.parse(bodies()[0]).changes).toHaveLength(7);
  });

  it("has at most 50 changes", async () => {
    const entries = Array.from({ length: 70 }, (_, line) => entry({ ...rejected, line: line + 1 }, `id-${line}`));
    expect(await sender.send(entries)).toHaveLength(50);
  });

  it("is smaller than 64 KiB of UTF-8, but always has one change", async () => {
    const wide = { ...signature, firstName: "é".repeat(700) };
    const entries = Array.from({ length: 50 }, (_, line) => entry({ ...wide, line: line + 1 }, `id-${line}`));
    const sent = await sender.send(entries);
    expect("blockedBy" in sent || sent.length).toBeLessThan(50);
    expect("blockedBy" in sent || sent.length).toBeGreaterThan(20);
    expect(new TextEncoder().encode(String(fetched.mock.calls[0]?.[1].body)).length).toBeLessThan(64 * 1024);
    expect(await sender.send([entry({ ...wide, firstName: "é".repeat(40_000) }), entry(signature)])).toHaveLength(1);
  });
});

describe("the answer", () => {
  const signedAt = { ownTeam: true, enteredAt, enteredBy: "Jun Park", sheet: 3, line: 9 };
  const taken = storedLine(4, { id, mine: false });
  it.each([
    { outcome: "stored", verdict: "accepted" },
    { outcome: "duplicate", of: signedAt },
    { outcome: "duplicate", of: null },
    { outcome: "line-taken", taken, error: "Sheet 12, line 4 is taken." },
    { outcome: "refused", why: "archived", error: "This campaign is archived." },
    { outcome: "later" },
  ])("returns the outcome %j", async (outcome) => {
    fetched.mockImplementation(async () => Response.json({ outcomes: [{ id, ...outcome }] }));
    expect(await sender.send([entry(signature)])).toEqual([{ id, ...outcome }]);
  });

  const error = "You may not do this.";
  const maybeSaved =
    "Export unsaved lines so none are lost. This one may already be saved: have someone check All lines before you discard it.";
  it.each([
    [403, "not-allowed", `${error} ${maybeSaved}`],
    [413, "invalid", error],
  ])("refuses all changes after a %i of Signet, but not of a proxy", async (status, why, text) => {
    fetched.mockImplementation(async () => Response.json({ error }, { status }));
    expect(await sender.send([entry(signature, "a"), entry(rejected, "b")])).toEqual([
      { id: "a", outcome: "refused", why, error: text },
      { id: "b", outcome: "refused", why, error: text },
    ]);
    fetched.mockImplementation(async () => new Response("<h1>Blocked by a proxy</h1>", { status }));
    expect(await sender.send([entry(signature)])).toEqual({ blockedBy: "updated" });
  });

  it.each<[string, () => Promise<Response>, string]>([
    ["no connection", () => Promise.reject(new TypeError("Failed to fetch")), "connection"],
    ["a session that ended", async () => Response.json({ error }, { status: 401 }), "signed-out"],
    ["too many requests", async () => Response.json({ error }, { status: 429 }), "unavailable"],
    ["a failure", async () => Response.json({ error }, { status: 500 }), "unavailable"],
    ["a gateway that can't reach Signet", async () => new Response("bad gateway", { status: 502 }), "unavailable"],
    ["a server without this route", async () => new Response("", { status: 404 }), "updated"],
    ["a server that reads it differently", async () => Response.json({ error }, { status: 400 }), "updated"],
    ["an unknown outcome", async () => Response.json({ outcomes: [{ id, outcome: "x" }] }), "updated"],
    ["an answer to something else", async () => Response.json({ outcomes: [] }), "updated"],
  ])("keeps the changes after %s", async (_case, respond, blockedBy) => {
    fetched.mockImplementation(respond);
    expect(await sender.send([entry(signature)])).toEqual({ blockedBy });
    expect(fetched).toHaveBeenCalledOnce();
  });

  it("keeps the changes without an answer within 15 s", async () => {
    const late = new AbortController();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(late.signal);
    fetched.mockImplementation((_path, { signal }) => {
      const { promise, reject } = Promise.withResolvers<Response>();
      signal?.addEventListener("abort", () => reject(new DOMException("late", "TimeoutError")));
      return promise;
    });
    const sent = sender.send([entry(signature)]);
    late.abort();
    expect(await sent).toEqual({ blockedBy: "unavailable" });
    expect(timeout).toHaveBeenCalledWith(15_000);
  });
});

describe("openSheet", () => {
  const sheet = {
    number: 7,
    openedBy: "Rosa",
    mine: true,
    openedAt: enteredAt,
    closedAt: null,
    lines: 0,
    nextLine: 1,
    circulator: null,
    collectedOn: null,
    signatureCount: null,
    clerks: [],
  };
  const result = (outcome: object) =>
    fetched.mockImplementation(async () => Response.json({ outcomes: [{ id: "x", ...outcome }] }));

  const opening = { kind: "open-sheet" as const, sheet: 7 };

  it("opens a sheet", async () => {
    result({ outcome: "stored", sheet });
    expect(await sender.openSheet({ ...opening, paper })).toEqual({ sheet });
    expect(bodies()[0].changes).toEqual([{ ...opening, id: expect.any(String), paper }]);
  });

  it("returns why a sheet was refused or has to wait", async () => {
    const error = "This campaign is archived.";
    result({ outcome: "refused", why: "archived", error });
    expect(await sender.openSheet(opening)).toEqual({ reason: "archived", error });
    result({ outcome: "later" });
    expect(await sender.openSheet(opening)).toEqual({ blockedBy: "unavailable" });
    fetched.mockImplementation(() => Promise.reject(new TypeError("Failed to fetch")));
    expect(await sender.openSheet(opening)).toEqual({ blockedBy: "connection" });
  });
});

it("waits longer after each failure, at most 30 s", () => {
  expect([0, 1, 2, 6, 50].map(retryDelayMs)).toEqual([500, 1000, 2000, 30_000, 30_000]);
});
