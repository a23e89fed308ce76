import { render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { PrintedFilter } from "@/components/activity/activity-lists";
import { ActivityFilterForm } from "@/components/activity/filter-forms";
import { formatOf } from "@/lib/format/format-of";

vi.mock("next/navigation", () => ({ useRouter: () => ({ replace: vi.fn() }) }));

test("says at the field that the last day is before the first", () => {
  const show = (filter: { from?: string; to?: string }) => {
    render(<ActivityFilterForm path="/north/activity" filter={filter} people={[]} invited={[]} campaigns={[]} />);
    return screen.getAllByLabelText("To").at(-1);
  };
  expect(show({ from: "2026-11-20", to: "2026-11-20" })?.getAttribute("aria-invalid")).toBe("false");
  expect(show({ from: "2026-11-21", to: "2026-11-20" })?.getAttribute("aria-invalid")).toBe("true");
  screen.getByText("To must be the same day as “From” or later.");
});

test("a printed list says its filter in one line, without its page", () => {
  const filter = { area: "members", from: "2026-11-20", before: 7 };
  render(<PrintedFilter filter={filter} names={new Map()} format={formatOf()} />);
  screen.getByText("Changes to: Members · From: Nov 20, 2026");
});
