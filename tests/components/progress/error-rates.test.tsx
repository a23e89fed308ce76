import { render, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { EntryErrors, ErrorRates } from "@/components/progress/error-rates";
import { formatOf } from "@/lib/format/format-of";
import type { QualityRate } from "@/lib/signatures/quality";

const place = { team: "north", campaign: "lakes" };
const ada = { id: "00000000-0000-4000-8000-000000000001", name: "Ada" };
const rate = (basis: QualityRate["of"], errors: number): QualityRate => ({
  of: basis,
  clerk: basis === "clerk" ? ada : null,
  sheet: basis === "sheet" ? 4 : null,
  checked: 200,
  errors,
});
const show = (rates: QualityRate[]) =>
  render(
    <EntryErrors
      check={{
        drawn: 400,
        waiting: 0,
        forYou: 0,
        sheetsForYou: [],
        differing: 0,
        unsettled: 0,
        rates,
        differences: [],
      }}
      place={place}
      format={formatOf()}
    />,
  );

test("the overview has the error rates of the campaign and of each clerk with their ranges, and none of single sheets", () => {
  show([rate("campaign", 2), rate("clerk", 4), rate("sheet", 8)]);
  expect(screen.getByText(/^Entry errors: 1\.0% of 200 checked lines \(95% range 0\.3%–3\.6%\)\./)).toBeTruthy();
  const table = screen.getByRole("table", { name: "Error rates" });
  const [, ...rows] = within(table).getAllByRole("row");
  expect(rows.map(({ textContent }) => textContent)).toEqual(["Ada20042.0%0.8%–5.0%0.8%–5.0%"]);
});

test("says why a sheet's sample gives no rates of clerks and the campaign", () => {
  render(<ErrorRates check={{ drawn: 200, waiting: 0, rates: [rate("sheet", 8)] }} format={formatOf()} />);
  expect(screen.getByText(/^A sheet's sample counts only for that sheet/)).toBeTruthy();
});

test("before lines of clerks were checked there's nothing to show", () => {
  const { container } = show([rate("sheet", 8)]);
  expect(container.textContent).toBe("");
});
