// @vitest-environment jsdom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { OutsideDates } from "@/components/signatures/outside-dates";
import { formatOf } from "@/lib/format/format-of";

afterEach(cleanup);

const place = { team: "riverside", campaign: "clean-water" };
const line = (number: number, sheet: number | null = 12) => ({
  id: `00000000-0000-4000-8000-00000000000${number}`,
  ...{ sheet, line: number, signedOn: "2026-10-31" },
});
const items = () => screen.getAllByRole("listitem").map(({ textContent }) => textContent);

it("says how many lines the days leave out, and leads to the first", () => {
  render(<OutsideDates format={formatOf()} place={place} outside={{ count: 7, lines: [line(1), line(2)] }} />);
  expect(screen.getByText(/^7 accepted lines count all the same/)).toBeTruthy();
  expect(items()).toEqual(["sheet 12, line 1signed Oct 31, 2026", "sheet 12, line 2signed Oct 31, 2026", "and 5 more"]);
  expect(screen.getByRole("link", { name: "sheet 12, line 1" }).getAttribute("href")).toBe(
    `/riverside/campaign/clean-water/signatures/register?line=${line(1).id}`,
  );
});

it("says it of one line, also of one on no sheet", () => {
  render(<OutsideDates format={formatOf()} place={place} outside={{ count: 1, lines: [line(1, null)] }} />);
  expect(screen.getByText(/^1 accepted line counts all the same: .* it was keyed. .* remove the line\.$/)).toBeTruthy();
  expect(items()).toEqual(["line 1signed Oct 31, 2026"]);
  expect(screen.getByRole("link", { name: "line 1" })).toBeTruthy();
});
