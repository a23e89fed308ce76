import { render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { SheetList } from "@/components/signatures/sheets/sheet-list";
import { formatOf } from "@/lib/format/format-of";

vi.mock("next/navigation", () => ({ useRouter: () => ({ replace: vi.fn() }) }));

it("shows the order of an address without one", () => {
  const place = { team: "riverside", campaign: "clean-water" };
  const page = { sheets: [], more: false, total: 0 };
  render(<SheetList place={place} filter={{}} page={page} circulators={[]} format={formatOf()} />);
  expect(screen.getByLabelText<HTMLSelectElement>("Order").selectedOptions[0]?.text).toBe("Last number first");
  expect(screen.getByText("No sheets yet. Each sheet that is started appears here.")).toBeTruthy();
});
