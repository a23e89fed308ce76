import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { LinePanel } from "@/components/signatures/register/line-panel";
import { linesText, unnamedText } from "@/components/signatures/register/line-text";
import { formatOf } from "@/lib/format/format-of";
import type { LineHistory, RegisterLine } from "@/lib/signatures/register/register";

vi.mock("next/navigation", () => ({ useRouter: () => ({ replace: vi.fn() }) }));

afterEach(cleanup);

const format = formatOf();
const rosa = { id: "11111111-1111-4111-8111-111111111111", name: "Rosa" };
const ada = { id: "22222222-2222-4222-8222-222222222222", name: "Ada" };
const at = (minute: number) => `2026-11-04T07:0${minute}:00.000Z`;
const stored: RegisterLine = {
  ...{ id: "1", sheet: 12, line: 4, verdict: "illegible", voterId: null, firstName: null, lastName: "Lee" },
  ...{ address: null, city: null, county: null, zip: null, signedOn: null, note: null, circulator: null, first: null },
  ...{ enteredAt: at(2), enteredBy: rosa, removedAt: null, removedBecause: null },
};
const place = { sheet: 12, line: 4 };
const history = (given: Partial<LineHistory>) => {
  const all: LineHistory = { line: stored, replacedBy: null, others: [], changes: [], ...given };
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
const undone = { kind: "undone" as const, at: at(1), by: rosa, because: null, from: place, to: place };

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

it.each([
  ["Corrected by Rosa", [{ ...stored, removedBy: null }]],
  ["Undone by Rosa", []],
  ["Undone by Rosa", [{ ...stored, enteredBy: ada, removedBy: null }]],
])("says %s of a removed line whose place has %j", (text, others) => {
  const shown = history({ line: removed, others, changes: [undone] });
  expect(shown.getByText(text)).toBeTruthy();
});

it("says Corrected by of an old version, as the current one does", () => {
  const removal = { ...undone, kind: "removed" as const, because: "Misread" };
  const shown = history({ line: { ...removed, removedBecause: "Misread" }, replacedBy: "9", changes: [removal] });
  expect(shown.getByText("Corrected by Rosa")).toBeTruthy();
});

it.each([
  ["Blank line", { verdict: "blank", note: null }],
  ["Illegible", { verdict: "illegible", note: null }],
  ["Not a signature", { verdict: "other", note: "Not a signature" }],
  ["Name not given", { verdict: "accepted", note: null }],
] as const)("shows “%s” for a line without a name", (text, line) => {
  expect(unnamedText(line)).toBe(text);
});

it.each([
  ["1 line", { lines: 1, removed: 0 }],
  ["812 lines, 14 removed", { lines: 812, removed: 14 }],
  ["14 removed lines", { lines: 0, removed: 14 }],
])("counts %s", (text, counts) => {
  expect(linesText({ ...counts, accepted: 0, rejected: 0 }, format)).toBe(text);
});
