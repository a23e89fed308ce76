import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { ActionForm } from "@/components/forms/action-form";
import { InputField } from "@/components/forms/input-field";
import { type FormSubmit, initialFormState } from "@/lib/forms/form-state";

it("shows its own error of an empty field, drops it once the field is edited, and shows it again if the field is still wrong", async () => {
  const issue = (field: string) => ({ code: "custom", path: [field], message: "is missing" });
  const save: FormSubmit = async () => ({
    message: null,
    error: "Fix the 2 fields above.",
    zodIssues: [issue("name"), issue("goal")],
  });
  render(
    <ActionForm action={save} submit={["Save", "Saving…"]}>
      {(state) => (
        <>
          <InputField state={state} name="name" label="Name" required />
          <InputField state={state} name="goal" label="Goal" hint="Optional." />
        </>
      )}
    </ActionForm>,
  );
  const send = () => userEvent.click(screen.getByRole("button", { name: "Save" }));
  screen.getByText("Optional.");
  await send();
  await screen.findByText("Name is missing.");
  expect(screen.queryByText("Optional.")).toBeNull(); // the error is in its place
  await userEvent.type(screen.getByLabelText("Name"), "A");
  expect(screen.queryByText("Name is missing.")).toBeNull();
  expect(screen.queryByText("Fix the 2 fields above.")).toBeNull();
  expect(screen.getByText("Goal is missing.")).toBeDefined();
  await send();
  await screen.findByText("Name is missing.");
});

it("doesn't show the error of a field that was filled while the form was sent", async () => {
  const pending = Promise.withResolvers<Awaited<ReturnType<FormSubmit>>>();
  render(
    <ActionForm action={() => pending.promise} submit={["Save", "Saving…"]}>
      {(state) => <InputField state={state} name="name" label="Name" required />}
    </ActionForm>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await userEvent.type(screen.getByLabelText("Name"), "Ada");
  const zodIssues = [{ code: "custom", path: ["name"], message: "Enter a name" }];
  pending.resolve({ message: null, error: "Fix the field above.", zodIssues });
  await screen.findByRole("button", { name: "Save" });
  expect(screen.queryByText("Enter a name.")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText("Enter a name.");
});

it("doesn't send a half typed date", async () => {
  const save = vi.fn(async () => initialFormState);
  render(
    <ActionForm action={save} submit={["Save", "Saving…"]}>
      {(state) => <InputField state={state} name="day" label="Day" type="date" />}
    </ActionForm>,
  );
  const day = screen.getByLabelText<HTMLInputElement>("Day");
  const isHalf = vi.spyOn(day.validity, "badInput", "get").mockReturnValue(true);
  const send = () => userEvent.click(screen.getByRole("button", { name: "Save" }));
  await send();
  expect(save).not.toHaveBeenCalled();
  isHalf.mockReturnValue(false);
  await send();
  expect(save).toHaveBeenCalledOnce();
});
