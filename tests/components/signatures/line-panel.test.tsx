import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { LinePanel } from "@/components/signatures/register/line-panel";
import { linesText, unnamedText } from "@/components/signatures/register/line-text";
import { VerdictMark } from "@/components/signatures/register/register-table";
import { formatOf } from "@/lib/format/format-of";
import type { LineHistory } from "@/lib/signatures/register/register";
import { registerLine } from "../../support/entry-lines.ts";

vi.mock("next/navigation", () => ({ useRouter: () => ({ replace: vi.fn() }) }));

afterEach(cleanup);

const format = formatOf();
const rosa = { id: "11111111-1111-4111-8111-111111111111", name: "Rosa" };
const ada = { id: "22222222-2222-4222-8222-222222222222", name: "Ada" };
const at = (minute: number) => `2026-11-04T07:0${minute}:00.000Z`;
const stored = { ...registerLine, enteredAt: at(2), enteredBy: rosa };
const place = { sheet: 12, line: 4 };
const history = (given: Partial<LineHistory>) => {
  const all: LineHistory = { line: stored, replacedBy: null, others: [], changes: [], checks: [], ...given };
  render(
    <LinePanel
      history={all}
      place={{ team: "a", campaign: "b" }}
      hrefOf={() => "/"}
      around={[null, null]}
      format={format}
    >
      {null}
    </LinePanel>,
  );
  return within(screen.getByRole("region", { name: "History" }));
};
const removed = { ...stored, id: "2", enteredAt: at(0), removedAt: at(1) };
const undone = { kind: "undone" as const, at: at(1), by: rosa, reason: null, from: place, to: place };

it("calls a line that its clerk removed and entered again corrected, and other removed ones removed", () => {
  const other = { ...removed, id: "3", enteredBy: ada, removedBecause: "Crossed out" };
  const shown = history({
    others: [
      { ...removed, removedBy: rosa },
      { ...other, removedBy: rosa },
    ],
  });
  const texts = shown.getAllByText(/^Earlier on this line/).map(({ textContent }) => textContent);
  expect(texts).toEqual([
    expect.stringContaining("Lee – illegible, corrected by Rosa "),
    expect.stringContaining("Lee – illegible, removed by Rosa "),
  ]);
});

it("lists what the last correction of a clerk changed", () => {
  const changed = { ...stored, verdict: "accepted" as const, signedOn: "2026-11-19" };
  const before = { ...removed, verdict: "accepted" as const, removedBy: rosa };
  const shown = history({
    line: changed,
    others: [
      { ...before, signedOn: "2026-11-24" },
      { ...before, id: "3" },
    ],
  });
  expect(shown.getAllByText(/→/).map(({ textContent }) => textContent)).toEqual([
    "Signed: Nov 24, 2026 → Nov 19, 2026",
  ]);
});

it("doesn't take a later correction by someone else for one of the clerk", () => {
  const asEntered = { ...stored, verdict: "accepted" as const, lastName: "Wilken" };
  const line = { ...asEntered, signedOn: "2026-11-26" };
  const ofLine = (one: typeof asEntered) => ({ ...one, mine: false, enteredBy: "Rosa" });
  const correction = {
    ...undone,
    kind: "corrected" as const,
    at: at(5),
    by: ada,
    was: ofLine(asEntered),
    became: ofLine(line),
  };
  const before = { ...removed, verdict: "accepted" as const, lastName: "Wilhoit", removedBy: rosa };
  const shown = history({ line, others: [before], changes: [correction] });
  expect(shown.getByText(/^Earlier on this line/).textContent).not.toContain("Signed:");
  expect(shown.getByText(/^Earlier on this line/).textContent).toMatch(/Wilhoit.* → .*Wilken/);
  expect(shown.getByText(/Corrected by Ada/).textContent).toContain("Signed: not given → Nov 26, 2026");
});

it.each([
  ["Corrected by Rosa", [{ ...stored, removedBy: null }]],
  ["Removed by Rosa", []],
  ["Removed by Rosa", [{ ...stored, enteredBy: ada, removedBy: null }]],
])("says %s of a removed line whose place has %j", (text, others) => {
  const shown = history({ line: removed, others, changes: [undone] });
  expect(shown.getByText(text)).toBeTruthy();
});

it("says Corrected by of an old version, as the current one does", () => {
  const removal = { ...undone, kind: "removed" as const, reason: "Misread" };
  const shown = history({ line: { ...removed, removedBecause: "Misread" }, replacedBy: "9", changes: [removal] });
  expect(shown.getByText("Corrected by Rosa")).toBeTruthy();
});

it("calls an earlier version corrected, not removed", () => {
  history({ line: { ...removed, isCorrected: true }, replacedBy: "9" });
  expect(screen.getByText("Corrected (was illegible)")).toBeTruthy();
});

it("has the quality check in the history, in the order of time", () => {
  const second = { verdict: "other" as const, voterId: null, firstName: "Ann", lastName: "Lee", note: "Torn" };
  const settled = { right: "neither" as const, settledAt: at(4), settledBy: rosa };
  const check = { ...second, ...settled, at: at(3), by: ada, differs: true };
  const corrected = { ...undone, kind: "corrected" as const, at: at(5) };
  const shown = history({ changes: [corrected], checks: [check] });
  expect(shown.getAllByRole("listitem").map(({ textContent }) => textContent?.replace(/Nov.*/, ""))).toEqual([
    "Entered by Rosa",
    "Entered again for the quality check by Ada: differsLee, Ann · other reason (Torn)",
    "Difference settled by Rosa: neither entry is right",
    "Corrected by Rosa",
  ]);
});

it.each([
  ["a duplicate whose voter has no valid line", {}, true],
  ["a duplicate of another team's line", { first: { ownTeam: false as const } }, false],
  ["a removed duplicate", { removedAt: at(3) }, false],
])("says that the voter has no valid line now, of %s: %j", (_, given, isSaid) => {
  history({ line: { ...stored, verdict: "duplicate", voterId: "V-1", ...given } });
  const link = screen.queryByRole("link", { name: "View the voter's lines" });
  expect(link?.getAttribute("href")).toBe(isSaid ? "/a/campaign/b/signatures/register?voter=V-1&state=all" : undefined);
});

it.each([
  ["Blank line", { verdict: "blank", note: null }],
  ["Illegible", { verdict: "illegible", note: null }],
  ["Not a signature", { verdict: "other", note: "Not a signature" }],
  ["Name not given", { verdict: "accepted", note: null }],
] as const)("shows “%s” for a line without a name", (text, line) => {
  expect(unnamedText(line)).toBe(text);
});

it("shows the other reason for a line with a name", () => {
  const line = { ...stored, verdict: "other" as const, note: "Crossed out" };
  render(<VerdictMark line={line} place={{ team: "a", campaign: "b" }} />);
  expect(screen.getByText("Crossed out")).toBeTruthy();
});

it.each([
  ["1 line", { lines: 1, removed: 0, corrected: 0 }],
  ["812 lines, 14 removed", { lines: 812, removed: 14, corrected: 0 }],
  ["2 lines, 1 earlier version", { lines: 2, removed: 0, corrected: 1 }],
  ["14 removed lines, 2 earlier versions", { lines: 0, removed: 14, corrected: 2 }],
])("counts %s", (text, counts) => {
  expect(linesText({ ...counts, accepted: 0, rejected: 0 }, format)).toBe(text);
});

it("shows what a correction changed, with days as elsewhere, and leads to the sheet", () => {
  const { enteredBy: _by, ...line } = stored;
  const was = {
    ...line,
    enteredBy: rosa.name,
    mine: false,
    city: "Kent",
    zip: "98030",
    county: "King",
    signedOn: "2026-11-02",
  };
  const became = { ...was, address: "12 Oak St", signedOn: "2026-11-03" };
  const shown = history({ changes: [{ ...undone, kind: "corrected", was, became }] });
  expect(shown.getByText("Address: Kent 98030, King County → 12 Oak St, Kent 98030, King County")).toBeTruthy();
  expect(shown.getByText("Signed: Nov 2, 2026 → Nov 3, 2026")).toBeTruthy();
  expect(screen.getByRole("link", { name: "View sheet 12" }).getAttribute("href")).toMatch(
    /\?sheet=12&sort=sheet&line=1$/,
  );
});
