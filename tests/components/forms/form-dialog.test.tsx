import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { FormDialog } from "@/components/forms/form-dialog";

vi.mock("next/navigation", () => ({ useRouter: () => ({ push: vi.fn() }) }));

async function open() {
  const onClose = vi.fn();
  render(
    <FormDialog
      title="New role"
      action={async () => ({ message: "Created.", error: null })}
      hidden={{}}
      submit="Create"
      onDone={() => undefined}
      onClose={onClose}
    >
      {() => <input aria-label="Name" name="name" />}
    </FormDialog>,
  );
  const field = await screen.findByLabelText("Name");
  return { onClose, field };
}

test("Esc closes a form without changes at once", async () => {
  const { onClose } = await open();
  await userEvent.keyboard("{Escape}");
  expect(onClose).toHaveBeenCalledOnce();
});

test("Esc asks after a change: staying keeps what was typed, discarding closes", async () => {
  const { onClose, field } = await open();
  await userEvent.type(field, "Drivers");
  await userEvent.keyboard("{Escape}");
  await userEvent.click(await screen.findByRole("button", { name: "Stay" }));
  expect(onClose).not.toHaveBeenCalled();
  expect(field).toHaveProperty("value", "Drivers");
  await waitFor(() => expect(screen.queryByRole("button", { name: "Stay" })).toBeNull());
  await userEvent.click(screen.getByRole("button", { name: "Close" }));
  await userEvent.click(await screen.findByRole("button", { name: "Discard and leave" }));
  expect(onClose).toHaveBeenCalledOnce();
});

test("a saved form closes without asking", async () => {
  const { onClose, field } = await open();
  await userEvent.type(field, "Drivers{Enter}");
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(screen.queryByText("Leave without saving?")).toBeNull();
});
