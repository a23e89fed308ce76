import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createAccount } from "@/app/invitation/[token]/actions";
import { SignUpForm } from "@/components/invitations/invitation-forms";
import { AppError } from "@/lib/errors";

// The form with its real action; Auth and the database are mocked.

const calls = vi.hoisted(() => ({ signUp: vi.fn(), readInvitation: vi.fn() }));
vi.mock("@/lib/auth/sign-in", () => ({ signUp: calls.signUp }));
vi.mock("@/lib/invitations/invitations", () => ({ readInvitation: calls.readInvitation }));
vi.mock("@/lib/permissions/invalidate", () => ({ invalidatePermissions: vi.fn() }));

const token = "t".repeat(43);
const email = "noor@people.test";

beforeEach(() => calls.readInvitation.mockResolvedValue({ state: "open", email }));
afterEach(() => {
  vi.resetAllMocks();
});

async function send(password = "long enough") {
  render(<SignUpForm token={token} email={email} signUp={createAccount} />);
  await userEvent.type(screen.getByLabelText("Your name"), "Noor Amari");
  await userEvent.type(screen.getByLabelText("Password"), `${password}{Enter}`);
}

it("says that a confirmation link was sent, which leads back to the invitation", async () => {
  calls.signUp.mockResolvedValue("confirm");
  await send();
  await waitFor(() =>
    expect(screen.getByRole("status").textContent).toBe(
      "If noor@people.test has no account yet, we've sent a link that leads back here. If it has one, sign in with it.",
    ),
  );
  expect(screen.getByRole("alert").textContent).toBe("");
  await waitFor(() => expect(screen.getByLabelText("Password")).toHaveProperty("value", ""));
  expect(calls.signUp.mock.calls).toEqual([
    [{ email, name: "Noor Amari", password: "long enough", next: `/invitation/${token}` }],
  ]);
});

it("says that the account already exists, and keeps the name", async () => {
  calls.signUp.mockRejectedValue(new AppError("conflict", "This email already has an account. Sign in with it."));
  await send();
  await waitFor(() => expect(screen.getByRole("alert").textContent).toMatch("This email already has an account."));
  expect(screen.getByRole("status").textContent).toBe("");
  expect(screen.getByLabelText("Your name")).toHaveProperty("value", "Noor Amari");
});

it.each([
  ["a password longer than Auth can store", "ö".repeat(37), "open", /is too long/],
  ["an invitation that was revoked", "long enough", "revoked", /^This invitation is no longer open\./],
])("creates no account with %s", async (_what, password, state, says) => {
  calls.readInvitation.mockResolvedValue({ state, email });
  await send(password);
  await screen.findByText(says);
  expect(calls.signUp).not.toHaveBeenCalled();
});
