import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { RegisterFilterForm } from "@/components/signatures/register/register-filter";
import { formatOf } from "@/lib/format/format-of";

vi.mock("next/navigation", () => ({ useRouter: () => ({ replace: vi.fn() }) }));

afterEach(cleanup);

it("keeps a clerk, a circulator and a county of the address who aren't choices any more, without showing an id", () => {
  const clerk = "11111111-1111-4111-8111-111111111111";
  render(
    <RegisterFilterForm
      place={{ team: "a", campaign: "b" }}
      filter={{ clerk, circulator: "M. Osei", county: "King" }}
      sort={undefined}
      choices={{ clerks: [], circulators: [], counties: [] }}
      format={formatOf()}
    />,
  );
  expect(screen.getByLabelText<HTMLSelectElement>("Entered by").value).toBe(clerk);
  expect(screen.getByLabelText<HTMLSelectElement>("Circulator").value).toBe("M. Osei");
  expect(screen.getByLabelText<HTMLSelectElement>("County").value).toBe("King");
  const chips = screen.getByRole("list", { name: "Filters" });
  expect(chips.textContent).toContain("Entered by: Someone without lines here");
  expect(chips.textContent).not.toContain(clerk);
});
