import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { Conflict } from "@/components/signatures/entry/conflict";
import type { LineItem } from "@/lib/signatures/outbox/outbox";
import { rejected, storedLine } from "../../../support/entry-lines.ts";

const user = userEvent.setup({ delay: null });
const onResend = vi.fn();
const item: LineItem = {
  id: "6a0d3a52-5f0f-4d8a-9f5e-000000000001",
  order: 1,
  at: "2026-09-23T02:18:00Z",
  refused: null,
  change: { ...rejected(1, "illegible", { name: "Smith" }), sheet: 7 },
};
const taken = storedLine(1, {
  id: "6a0d3a52-5f0f-4d8a-9f5e-000000000002",
  voterId: "WA-1",
  lastName: "Jones",
  firstName: "Ada",
  mine: false,
  enteredBy: "Jun Park",
  enteredAt: "2026-09-23T02:17:00Z",
});
const conflict = (emptyLine: number | null) => (
  <Conflict
    item={item}
    taken={taken}
    emptyLine={emptyLine}
    onResend={onResend}
    place={{ team: "riverside", campaign: "clean-water" }}
    removeLine={vi.fn()}
    canRemove={false}
    onDiscard={vi.fn()}
  />
);
const field = () => screen.getByLabelText<HTMLInputElement>("Mine belongs on line");

afterEach(() => {
  onResend.mockClear();
});

test("suggests the empty line once it is known, and another when someone takes it", async () => {
  const { rerender } = render(conflict(null));
  expect(field().value).toBe("");
  expect(screen.queryByRole("button", { name: "Replace it with mine" })).toBeNull(); // someone else's line, without the permission to remove it
  rerender(conflict(3));
  expect(field().value).toBe("3");
  rerender(conflict(4));
  expect(field().value).toBe("4");
  await user.click(screen.getByRole("button", { name: "Save to this line" }));
  expect(onResend).toHaveBeenCalledExactlyOnceWith(4);
});

test("keeps what was typed, even nothing, when an empty line becomes known", async () => {
  const { rerender } = render(conflict(null));
  await user.click(screen.getByRole("button", { name: "Save to this line" }));
  expect(screen.getByRole("alert").textContent).toBe("Enter the line number on the paper.");
  await user.type(field(), "9");
  rerender(conflict(3));
  expect(field().value).toBe("9");
  await user.clear(field());
  rerender(conflict(4));
  expect(field().value).toBe("");
  expect(onResend).not.toHaveBeenCalled();
});
