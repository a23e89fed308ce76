import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { ForgottenForm } from "@/components/auth/auth-forms";
import { LoginForm } from "@/components/auth/login-form";
import type { FormState, FormSubmit } from "@/lib/forms/form-state";

function show(state: FormState, problem: string | null = null) {
  const signIn = vi.fn(async (_state: FormState, _form: FormData) => state);
  render(<LoginForm signIn={signIn} next="/riverside" problem={problem} />);
  const send = async () => {
    await userEvent.type(screen.getByLabelText("Email"), "ada@demo.test");
    await userEvent.type(screen.getByLabelText("Password"), "wrong{Enter}");
  };
  return { signIn, send };
}

const alertText = () => screen.getByRole("alert").textContent;

it("starts at the email, and sends what was typed and the page to open next", async () => {
  const { signIn, send } = show({ message: null, error: null });
  expect(document.activeElement).toBe(screen.getByLabelText("Email"));
  await send();
  await waitFor(() => expect(signIn).toHaveBeenCalledOnce());
  const sent = signIn.mock.calls[0]?.[1];
  expect(sent && Object.fromEntries(sent)).toEqual({ next: "/riverside", email: "ada@demo.test", password: "wrong" });
});

it("shows the error, keeps the email and focuses the empty password", async () => {
  const { send } = show({ message: null, error: "The password is wrong.", data: { email: "ada@demo.test" } });
  await send();
  await waitFor(() => expect(alertText()).toBe("The password is wrong."));
  expect(screen.getByLabelText("Email")).toHaveProperty("value", "ada@demo.test");
  expect(screen.getByLabelText("Password")).toHaveProperty("value", "");
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Password")));
});

it("shows a validation message at its field", async () => {
  const { send } = show({
    message: null,
    error: "Fix the field above.",
    data: { email: "ada@demo.test" },
    zodIssues: [{ code: "invalid_format", path: ["email"], message: "must be an address" }],
  });
  await send();
  const email = screen.getByLabelText("Email");
  await waitFor(() => expect(email.getAttribute("aria-invalid")).toBe("true"));
  const described = document.getElementById(email.getAttribute("aria-describedby") ?? "");
  expect(described?.textContent).toBe("Email must be an address.");
  expect(alertText()).toBe(""); // the field has said it
  expect(screen.getByLabelText("Password").getAttribute("aria-invalid")).toBe("false");
  await waitFor(() => expect(document.activeElement).toBe(email));
});

it("passes the typed email on to the page for a forgotten password", async () => {
  const { send } = show({ message: null, error: "The password is wrong." });
  await send();
  cleanup();
  const sendLink = vi.fn<FormSubmit>().mockResolvedValue({ message: "We've sent a link.", error: null });
  render(<ForgottenForm send={sendLink} next="/" />);
  const email = screen.getByLabelText("Email");
  expect(email).toHaveProperty("value", "ada@demo.test");
  await userEvent.clear(email);
  await userEvent.type(email, "bea@demo.test");
  await userEvent.click(screen.getByRole("button", { name: "Send link" }));
  await screen.findByText("We've sent a link.");
  expect(email).toHaveProperty("value", "bea@demo.test"); // to send it again
});

it("says why the person was sent here until the form returns an error", async () => {
  const { send } = show({ message: null, error: "The password is wrong." }, "This link is too old.");
  expect(alertText()).toBe("This link is too old.");
  await send();
  await waitFor(() => expect(alertText()).toBe("The password is wrong."));
});
