import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { SheetList } from "@/components/signatures/sheets/sheet-list";
import { formatOf } from "@/lib/format/format-of";

vi.mock("next/navigation", () => ({ useRouter: () => ({ replace: vi.fn() }) }));

afterEach(cleanup);

it("shows the order of an address without one", () => {
  const place = { team: "riverside", campaign: "clean-water" };
  const page = { sheets: [], more: false, total: 0, notStarted: [] };
  render(<SheetList place={place} filter={{}} page={page} circulators={[]} format={formatOf()} />);
  expect(screen.getByLabelText<HTMLSelectElement>("Sort by").selectedOptions[0]?.text).toBe("Number, high to low");
  expect(screen.getByText("No sheets yet. Each sheet appears here once it's started.")).toBeTruthy();
  cleanup();
  render(<SheetList place={place} filter={{ number: 9 }} page={page} circulators={[]} format={formatOf()} />);
  const path = "/riverside/campaign/clean-water/signatures/sheets";
  expect(screen.getByRole("link", { name: "show all" }).getAttribute("href")).toBe(path);
  cleanup();
  render(<SheetList place={place} filter={{}} typedNumber="abc" page={page} circulators={[]} format={formatOf()} />);
  expect(screen.getByText("Sheet must be one number, such as 412.")).toBeTruthy();
});

it("names missing lines in ranges, and sorts by the heads of columns", () => {
  const sheet = {
    id: "11111111-1111-4111-8111-111111111111",
    number: 645,
    circulator: null,
    collectedOn: null,
    openedBy: "Ada",
    openedAt: "2026-11-24T12:00:00.000Z",
    closedAt: null,
    lines: 9,
    accepted: 9,
    blank: 2,
    expected: 40,
    missingCount: 31,
    missing: [3, ...Array.from({ length: 30 }, (_, index) => index + 11)],
  };
  const place = { team: "riverside", campaign: "clean-water" };
  const page = { sheets: [sheet], more: false, total: 1, notStarted: [640, 641, 642, 644] };
  render(<SheetList place={place} filter={{ state: "open" }} page={page} circulators={[]} format={formatOf()} />);
  expect(screen.getByText("3, 11–29 and 11 more")).toBeTruthy();
  expect(screen.getByText("Missing: 3, 11–29 and 11 more").parentElement?.textContent).toMatch(
    /^11 of 40 lines: 9 signatures, 2 blank/,
  );
  expect(screen.getByText(/^Not started/).textContent).toBe("Not started: 640–642, 644");
  expect(screen.queryByRole("link", { name: "11–29" })).toBeNull();
  const head = (name: string) => screen.getByRole("columnheader", { name });
  expect(head("Sheet").getAttribute("aria-sort")).toBe("descending");
  expect(within(head("Sheet")).getByRole("link").getAttribute("href")).toMatch(/\?state=open&sort=number$/);
  expect(within(head("Started")).getByRole("link").getAttribute("href")).toMatch(/\?state=open&sort=-opened$/);
  cleanup();
  render(<SheetList place={place} filter={{}} page={page} circulators={[]} canEnter format={formatOf()} />);
  const links = screen.getAllByRole("link", { name: "11–29" }).map((link) => link.getAttribute("href"));
  expect(new Set(links)).toEqual(new Set(["/riverside/campaign/clean-water/signatures?sheet=645&line=11"]));
});
