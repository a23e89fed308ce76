import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { RegisterFilterForm } from "@/components/signatures/register/register-filter";
import { formatOf } from "@/lib/format/format-of";
import type { RegisterFilter } from "@/lib/signatures/register/filter";

vi.mock("next/navigation", () => ({ useRouter: () => ({ replace: vi.fn() }) }));

afterEach(cleanup);

const show = (filter: RegisterFilter, typedSheet?: string) =>
  render(
    <RegisterFilterForm
      place={{ team: "a", campaign: "b" }}
      filter={filter}
      typedSheet={typedSheet}
      sort={undefined}
      choices={{ clerks: [], circulators: [], counties: [] }}
      format={formatOf()}
    />,
  );

it("says at a last day that it is before the first one", () => {
  show({ signedFrom: "2026-11-03", signedTo: "2026-11-02", enteredFrom: "2026-11-02", enteredTo: "2026-11-02" });
  expect(screen.getByText("Signed to must be the same day as “Signed from” or later.")).toBeTruthy();
  expect(screen.queryByText(/^Entered to must/)).toBeNull();
});

it("shows a wrong sheet in its field with what to enter, and no filter for it", () => {
  show({}, "650-655");
  expect(screen.getByLabelText<HTMLInputElement>("Sheet").value).toBe("650-655");
  expect(screen.getByText("Sheet must be one number, such as 412.")).toBeTruthy();
  expect(screen.queryByRole("list", { name: "Filters" })).toBeNull();
});

it("finds a voter ID in the field of the name, and says so", () => {
  show({ name: "WA0088891" });
  expect(screen.getByLabelText<HTMLInputElement>("Name or voter ID").value).toBe("WA0088891");
  expect(screen.getByRole("list", { name: "Filters" }).textContent).toContain("Voter ID: WA0088891");
});

it("keeps a clerk, a circulator and a county of the address who aren't choices any more, without showing an id", () => {
  const clerk = "11111111-1111-4111-8111-111111111111";
  show({ clerk, circulator: "M. Osei", county: "King" });
  expect(screen.getByLabelText<HTMLSelectElement>("Entered by").value).toBe(clerk);
  expect(screen.getByLabelText<HTMLSelectElement>("Circulator").value).toBe("M. Osei");
  expect(screen.getByLabelText<HTMLSelectElement>("County").value).toBe("King");
  const chips = screen.getByRole("list", { name: "Filters" });
  expect(chips.textContent).toContain("Entered by: Someone without lines here");
  expect(chips.textContent).not.toContain(clerk);
});
