import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { OfflineNotice } from "@/components/signatures/register/offline-notice";
import { SheetList } from "@/components/signatures/sheets/sheet-list";
import { formatOf } from "@/lib/format/format-of";

vi.mock("next/navigation", () => ({ useRouter: () => ({ replace: vi.fn() }) }));

afterEach(cleanup);

it("shows the order of an address without one", () => {
  const place = { team: "riverside", campaign: "clean-water" };
  const page = { sheets: [], more: false, total: 0 };
  render(<SheetList place={place} filter={{}} page={page} circulators={[]} format={formatOf()} />);
  expect(screen.getByLabelText<HTMLSelectElement>("Sort by").selectedOptions[0]?.text).toBe("Number, highest first");
  expect(screen.getByText("No sheets yet. Each sheet that is started appears here.")).toBeTruthy();
});

it("says that there is no connection, and keeps links from leaving until it is back", () => {
  const isOnline = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  render(
    <main>
      <OfflineNotice />
      <a href="#next">Next</a>
    </main>,
  );
  expect(screen.getByRole("status").textContent).toMatch(
    /^No connection\. Filters and links work again when it is back/,
  );
  const follows = () => fireEvent.click(screen.getByText("Next"));
  expect(follows()).toBe(false);
  isOnline.mockReturnValue(true);
  fireEvent(window, new Event("online"));
  expect(screen.getByRole("status").textContent).toBe("");
  expect(follows()).toBe(true);
});
