import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { ScreenKeysProvider } from "@/components/shell/screen-keys";
import { LinePanel } from "@/components/signatures/register/line-panel";
import { linesText, unnamedText } from "@/components/signatures/register/line-text";
import { PanelHead } from "@/components/signatures/register/register-keys";
import { RegisterTable, VerdictMark } from "@/components/signatures/register/register-table";
import { formatOf } from "@/lib/format/format-of";
import type { LineHistory } from "@/lib/signatures/register/register";
import { registerLine } from "../../support/entry-lines.ts";

const replace = vi.hoisted(() => vi.fn());
vi.mock("next/navigation", () => ({ useRouter: () => ({ replace }) }));

afterEach(cleanup);

const format = formatOf();
const rosa = { id: "11111111-1111-4111-8111-111111111111", name: "Rosa" };
const ada = { id: "22222222-2222-4222-8222-222222222222", name: "Ada" };
const minutesPast = (minute: number) => `2026-11-04T07:0${minute}:00.000Z`;
const stored = { ...registerLine, enteredAt: minutesPast(2), enteredBy: rosa };
const place = { sheet: 12, line: 4 };
const history = (overrides: Partial<LineHistory>) => {
  const all: LineHistory = { line: stored, replacedBy: null, others: [], changes: [], checks: [], ...overrides };
  render(
    <LinePanel
      history={all}
      place={{ team: "a", campaign: "b" }}
      hrefOf={() => "/"}
      around={[null, null]}
      format={format}
    >
      <p>Actions</p>
    </LinePanel>,
  );
  return within(screen.getByRole("region", { name: "History" }));
};
const removed = { ...stored, id: "2", enteredAt: minutesPast(0), removedAt: minutesPast(1) };
const undone = { kind: "undone" as const, at: minutesPast(1), by: rosa, reason: null, from: place, to: place };

it("has its actions above the history", () => {
  const heading = history({}).getByRole("heading");
  expect(screen.getByText("Actions").compareDocumentPosition(heading)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

it("goes to the next line by ↓, unless a form is open: what is typed would be lost", () => {
  const form = (open: boolean) => (
    <ScreenKeysProvider>
      <PanelHead linkId="line-1" closeTo="/" previous={null} next="/next">
        Line
      </PanelHead>
      <details data-change="correct" open={open} />
    </ScreenKeysProvider>
  );
  const { rerender } = render(form(true));
  fireEvent.keyDown(document.body, { key: "ArrowDown" });
  expect(replace).not.toHaveBeenCalled();
  rerender(form(false));
  fireEvent.keyDown(document.body, { key: "ArrowDown" });
  expect(replace).toHaveBeenCalledWith("/next", { scroll: false });
});

it("lists a signer who isn't a voter with the house number", () => {
  const lines = [{ ...stored, firstName: "Ann", address: "14" }];
  render(<RegisterTable lines={lines} place={{ team: "a", campaign: "b" }} filter={{}} view={{}} format={format} />);
  expect(screen.getByRole("link", { name: /^Lee, Ann, 14/ })).toBeTruthy();
});

it("says who removed other lines at the same place, also those that the clerk then entered again", () => {
  const shown = history({ others: [{ ...removed, removedBy: rosa }] });
  expect(shown.getByText(/^Earlier on this line/).textContent).toContain("Lee – illegible, removed by Rosa ");
});

it("follows a line that a correction moved, from its first entry on", () => {
  const version = (overrides: object) => ({ ...stored, mine: false, enteredBy: "Rosa", ...overrides });
  const correction = {
    ...undone,
    kind: "corrected" as const,
    from: { sheet: 12, line: 13 },
    was: version({ line: 13, enteredAt: "2026-11-04T06:00:00.000Z", lastName: "Wilken" }),
    became: version({ line: 16 }),
  };
  const move = {
    ...undone,
    kind: "moved" as const,
    at: minutesPast(5),
    from: { sheet: 12, line: 15 },
    to: { sheet: 12, line: 16 },
  };
  const shown = history({ line: { ...stored, line: 16 }, changes: [correction, move] });
  expect(shown.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining("Moved by Rosa, from sheet 12, line 15 to sheet 12, line 16"),
    expect.stringContaining("Corrected by Rosa, from sheet 12, line 13 to sheet 12, line 15Name: Wilken → Lee"),
    expect.stringMatching(/^Entered by Rosa, sheet 12, line 13.*6:00/),
  ]);
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

it("has the quality check in the history, newest first", () => {
  const second = {
    verdict: "other" as const,
    voterId: null,
    firstName: "Ann",
    lastName: "Lee",
    address: null,
    note: "Torn",
  };
  const settled = { right: "neither" as const, settledAt: minutesPast(4), settledBy: rosa };
  const check = { ...second, ...settled, at: minutesPast(3), by: ada, differs: true };
  const corrected = { ...undone, kind: "corrected" as const, at: minutesPast(5) };
  const shown = history({ changes: [corrected], checks: [check] });
  expect(shown.getAllByRole("listitem").map(({ textContent }) => textContent?.replace(/Nov.*/, ""))).toEqual([
    "Corrected by Rosa",
    "Difference settled by Rosa: neither entry is right",
    "Entered again for the quality check by Ada: differsLee, Ann · other (Torn)",
    "Entered by Rosa",
  ]);
});

it.each([
  ["a duplicate whose voter has no valid line", {}, true],
  ["a duplicate of another team's line", { first: { ownTeam: false as const } }, false],
  ["a removed duplicate", { removedAt: minutesPast(3) }, false],
])("says that the voter has no valid line now, of %s: %j", (_, input, isSaid) => {
  history({ line: { ...stored, verdict: "duplicate", voterId: "V-1", ...input } });
  const link = screen.queryByRole("link", { name: "View the voter's lines" });
  expect(link?.getAttribute("href")).toBe(isSaid ? "/a/campaign/b/signatures/register?voter=V-1&state=all" : undefined);
});

it.each([
  ["Blank", { verdict: "blank", note: null }],
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

it("names the place of a duplicate's first signature", () => {
  const first = { ownTeam: true as const, id: "9", sheet: 660, line: 1, firstName: "Ann", lastName: "Lee" };
  render(<VerdictMark line={{ ...stored, verdict: "duplicate", first }} place={{ team: "a", campaign: "b" }} />);
  expect(screen.getByRole("link").textContent).toBe("sheet 660, line 1");
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
