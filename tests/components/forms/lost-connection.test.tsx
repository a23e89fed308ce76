import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { ActionForm } from "@/components/forms/action-form";

it("says that the connection is lost, and keeps what was typed", async () => {
  const offline = async () => {
    throw new TypeError("Failed to fetch");
  };
  render(
    <ActionForm action={offline} submit={["Save", "Saving…"]}>
      {() => <input aria-label="Name" name="name" />}
    </ActionForm>,
  );
  await userEvent.type(screen.getByLabelText("Name"), "Ada");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText("Couldn't reach Signet. Check your connection and try again.");
  expect(screen.getByLabelText<HTMLInputElement>("Name").value).toBe("Ada");
});
