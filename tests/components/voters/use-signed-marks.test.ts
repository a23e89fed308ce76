import { cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { clearQueries } from "@/components/shell/use-query";
import { useSignedMarks } from "@/components/voters/use-signed-marks";
import { formatOf } from "@/lib/format/format-of";
import { type SignedMarks, signedAtText } from "@/lib/signatures/signed-mark";

const answers = vi.fn<(path: string, init: RequestInit) => Promise<Response>>();

beforeEach(() => {
  vi.stubGlobal("fetch", answers);
});
afterEach(() => {
  vi.resetAllMocks();
});

const ask = async (
  detailsTeamId: string | null,
  respond: (path: string, shown: SignedMarks[]) => Response | Promise<Response>,
  voterIds = ["WA-1", "WA-2"],
) => {
  const shown: SignedMarks[] = [];
  answers.mockImplementation((path) => Promise.resolve(respond(path, shown)));
  const check = { campaign: "clean-water", detailsTeamId };
  const { result } = renderHook(() => {
    const marks = useSignedMarks(check, voterIds);
    if (marks.size > 0 && shown.at(-1) !== marks) shown.push(marks);
    return marks;
  });
  await waitFor(() => {
    const marks = [...result.current.values()];
    expect(marks.length === voterIds.length && !marks.some((mark) => "isLoading" in mark)).toBe(true);
  });
  cleanup();
  clearQueries();
  return { shown: shown.map((marks) => Object.fromEntries(marks)), requests: answers.mock.calls.map(([path]) => path) };
};
const exists = (marks: Record<string, boolean>) => Response.json({ exists: marks });
const at = { ownTeam: true, enteredAt: "2026-11-03T12:00:00Z", enteredBy: "Jun Park", sheet: 3, line: 9 };

it("answers yes or no without details to people without the permission", async () => {
  const { shown, requests } = await ask(null, () => exists({ "WA-1": true, "WA-2": false }));
  expect(shown).toEqual([{ "WA-1": { state: "signed", at: null }, "WA-2": { state: "not-signed" } }]);
  expect(requests).toEqual(["/api/duplicate/batch"]);
});

it("shows the fast answer first, then who, when and where, and trusts the database most", async () => {
  const { shown } = await ask("riverside", async (path, before) => {
    if (path === "/api/duplicate/batch") return exists({ "WA-1": true, "WA-2": true });
    await waitFor(() => expect(before).toHaveLength(1));
    return Response.json({ signed: { "WA-1": at } });
  });
  expect(shown).toEqual([
    { "WA-1": { state: "signed", at: null, isLoading: true }, "WA-2": { state: "signed", at: null, isLoading: true } },
    { "WA-1": { state: "signed", at }, "WA-2": { state: "not-signed" } },
  ]);
});

it("uses the database when the fast check is unreachable, and shows “not checked” when both are", async () => {
  const unreachable = Response.json({ error: "unreachable" }, { status: 503 });
  const one = await ask("riverside", (path) =>
    path === "/api/duplicate/batch" ? unreachable.clone() : Response.json({ signed: { "WA-1": at } }),
  );
  expect(one.shown).toEqual([{ "WA-1": { state: "signed", at }, "WA-2": { state: "not-signed" } }]);
  for (const detailsTeamId of ["riverside", null]) {
    const { shown } = await ask(detailsTeamId, () => unreachable.clone());
    expect(shown).toEqual([{ "WA-1": { state: "unchecked" }, "WA-2": { state: "unchecked" } }]);
  }
});

it("asks nothing for a voter without an ID, who stays unchecked", async () => {
  const { shown, requests } = await ask("riverside", () => exists({}), ["no id"]);
  expect(shown).toEqual([{ "no id": { state: "unchecked" } }]);
  expect(requests).toEqual([]);
});

it("tells the day signed from the day of entry, also when only one is known", () => {
  const format = formatOf({ timeZone: "UTC", locale: "en-US" });
  const own = { ...at, ownTeam: true as const, enteredAt: "2024-11-03T12:00:00Z" };
  expect([{ ...own, signedOn: "2024-10-31" }, own].map((one) => signedAtText(one, format))).toEqual([
    "Oct 31, 2024 · sheet 3, line 9 · entered Nov 3, 2024 by Jun Park",
    "sheet 3, line 9 · entered Nov 3, 2024 by Jun Park",
  ]);
});
