import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { Register } from "@/components/signatures/register/register";
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

it.each([
  [{ name: "torres" }, "No lines match “torres”: no such name or voter ID.", null],
  [{ name: "torres", verdict: "illegible" as const }, "No lines match these filters.", "?name=torres"],
  [{ voter: "V-1" }, "No lines match these filters.", ""],
])("says of no lines what of the filter may be wrong: %j", (filter, text, rest) => {
  render(
    <Register
      place={{ team: "a", campaign: "b" }}
      filter={filter}
      typedSheet={undefined}
      view={{}}
      listed={{ lines: [], earlier: false, later: false, similar: false }}
      counts={{ lines: 0, accepted: 0, rejected: 0, removed: 0, corrected: 0 }}
      choices={{ clerks: [], circulators: [], counties: [] }}
      format={formatOf()}
      canSearch={false}
    >
      {null}
    </Register>,
  );
  expect(screen.getByText(/^No lines match/).textContent).toContain(text);
  const href = screen.queryByRole("link", { name: "Remove filters" })?.getAttribute("href") ?? null;
  expect(href).toBe(rest === null ? null : `/a/campaign/b/signatures/register${rest}`);
});

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
