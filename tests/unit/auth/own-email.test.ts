import { expect, it, vi } from "vitest";
import { requestEmailChange } from "@/app/account/actions";
import { initialFormState, toFormData } from "@/lib/forms/form-state";

const person = vi.hoisted(() => ({ email: "ada@people.test" }));
const account = vi.hoisted(() => ({ requirePassword: vi.fn(), changeEmail: vi.fn() }));
vi.mock("@/lib/auth/account", async (original) => ({ ...(await original<object>()), ...account }));
vi.mock("@/lib/auth/require-user", () => ({ requireUser: async () => person, requireLiveUser: async () => person }));

const change = (email: string) =>
  requestEmailChange(initialFormState, toFormData({ email, current: "demo-password-1" }));

it("sends no link to the email that the person has already", async () => {
  const { zodIssues } = { zodIssues: undefined, ...(await change("Ada@people.test")) };
  expect(zodIssues).toMatchObject([{ path: ["email"], message: "is already the one you sign in with" }]);
  expect(account.changeEmail).not.toHaveBeenCalled();
  expect((await change("new@people.test")).error).toBeNull();
});
