import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it } from "vitest";
import { LineChanges } from "@/components/signatures/register/line-changes";
import type { FormSubmit } from "@/lib/forms/form-state";

afterEach(cleanup);

it("removes a line for a reason, moves the focus to what was done, and offers to undo it", async () => {
  const sent: [message: string, fields: object][] = [];
  const action =
    (message: string): FormSubmit =>
    async (_state, form) => {
      sent.push([message, Object.fromEntries(form)]);
      return { message, error: null };
    };
  const line = (removed: boolean) => (
    <LineChanges
      id="1"
      removed={removed}
      place={{ team: "riverside", campaign: "clean-water" }}
      remove={action("Line removed.")}
      restore={action("Line restored.")}
    />
  );
  const { rerender } = render(line(false));
  await userEvent.type(screen.getByLabelText("Reason"), "Crossed out");
  await userEvent.click(screen.getByRole("button", { name: "Remove line" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  rerender(line(true));
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Line removed."));
  await userEvent.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(() => expect(sent).toHaveLength(2));
  rerender(line(false));
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Line restored."));
  const place = { team: "riverside", campaign: "clean-water", id: "1" };
  expect(sent).toEqual([
    ["Line removed.", { ...place, because: "Crossed out" }],
    ["Line restored.", place],
  ]);
});
