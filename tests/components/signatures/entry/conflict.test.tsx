import { cleanup, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { Conflict } from "@/components/signatures/entry/conflict";
import type { LineEntry } from "@/lib/signatures/queue/entry";
import { storedLine } from "../../../support/entry-lines.ts";

const user = userEvent.setup({ delay: null });
const onResend = vi.fn();
const entry: LineEntry = {
  ...{ id: "6a0d3a52-5f0f-4d8a-9f5e-000000000001", order: 1, at: "2026-09-23T02:18:00Z", refused: null },
  what: {
    ...{ kind: "rejected", verdict: "illegible", voterId: null, name: "Smith", note: null },
    ...{ sheet: 7, line: 1, signedOn: null },
  },
};
const taken = storedLine(1, {
  ...{ id: "6a0d3a52-5f0f-4d8a-9f5e-000000000002", voterId: "WA-1", lastName: "Jones", firstName: "Ada" },
  ...{ mine: false, enteredBy: "Jun Park", enteredAt: "2026-09-23T02:17:00Z" },
});
const conflict = (emptyLine: number | null) => (
  <Conflict
    {...{ entry, taken, emptyLine, onResend }}
    place={{ team: "riverside", campaign: "clean-water" }}
    removal={vi.fn()}
    mayRemove={false}
    onDiscard={vi.fn()}
  />
);
const field = () => screen.getByLabelText<HTMLInputElement>("Or mine stands on line");

afterEach(() => {
  cleanup();
  onResend.mockClear();
});

test("the empty line is offered when it comes to be known, and does not change under the hand", async () => {
  const { rerender } = render(conflict(null));
  expect(field().value).toBe("");
  expect(screen.queryByRole("button", { name: "Replace it with mine" })).toBeNull(); // of another's line, who may not
  rerender(conflict(3));
  expect(field().value).toBe("3");
  rerender(conflict(4));
  expect(field().value).toBe("3");
  await user.click(screen.getByRole("button", { name: "Store it there" }));
  expect(onResend).toHaveBeenCalledExactlyOnceWith(entry, 3);
});

test("what was typed before an empty line is known stays, also nothing", async () => {
  const { rerender } = render(conflict(null));
  await user.click(screen.getByRole("button", { name: "Store it there" }));
  expect(screen.getByRole("alert").textContent).toBe("Type the number of the line, 1 to 9999.");
  await user.type(field(), "9");
  rerender(conflict(3));
  expect(field().value).toBe("9");
  await user.clear(field());
  rerender(conflict(4));
  expect(field().value).toBe("");
  expect(onResend).not.toHaveBeenCalled();
});
