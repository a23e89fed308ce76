import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { ActionForm } from "@/components/forms/action-form";
import { AccessChanges, useAccessChanges } from "@/components/team-access/access-changes";
import type { FormState } from "@/lib/forms/form-state";

it("drops the message of a form when the next one fails", async () => {
  const answers: FormState[] = [
    { message: "Campaign saved.", error: null },
    { message: null, error: "Couldn't save." },
  ];
  const save = async () => answers.shift() ?? { message: null, error: null };
  function Form() {
    const { announce } = useAccessChanges();
    return (
      <ActionForm action={save} submit={["Save", "Saving…"]} onDone={({ message }) => message && announce(message)} />
    );
  }
  render(
    <AccessChanges team={{ id: "river", name: "River" }} save={() => Promise.reject()} preview={() => Promise.reject()}>
      <Form />
    </AccessChanges>,
  );
  const send = () => userEvent.click(screen.getByRole("button", { name: "Save" }));
  await send();
  await screen.findByText("Campaign saved.");
  await send();
  await screen.findByText("Couldn't save.");
  expect(screen.queryByText("Campaign saved.")).toBeNull();
});
