import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { ActionForm } from "@/components/forms/action-form";
import { reportSessionRenewed, sessionEnded } from "@/lib/forms/session-ended";

it("drops the error of an ended session once signed in again, and keeps what was typed", async () => {
  render(
    <ActionForm action={async () => ({ message: null, error: sessionEnded })} submit={["Save", "Saving…"]}>
      {() => <input aria-label="Name" name="name" />}
    </ActionForm>,
  );
  await userEvent.type(screen.getByLabelText("Name"), "Ada");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText(sessionEnded);
  act(reportSessionRenewed);
  expect(screen.queryByText(sessionEnded)).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>("Name").value).toBe("Ada");
});
