import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { endAllSessions, saveName, savePassword } from "@/app/account/actions";
import { resetPassword } from "@/app/auth/confirm/actions";
import { initialFormState, toFormData } from "@/lib/forms/form-state";

// The messages after a change by Auth, and what email links can do. Auth and Redis are mocked.

const calls = vi.hoisted(() => ({
  confirmLink: vi.fn(),
  choosePassword: vi.fn(),
  changeName: vi.fn(),
  withRedis: vi.fn(),
  refresh: vi.fn(),
}));
vi.mock("next/cache", () => ({ revalidateTag: vi.fn(), refresh: calls.refresh }));
vi.mock("@/lib/activity/sign-ins", () => ({ recordSignIn: async () => undefined }));
vi.mock("@/lib/redis", () => ({ withRedis: calls.withRedis }));
vi.mock("@/lib/auth/get-session", () => {
  const session = { userId: "u", email: "ada@people.test" };
  const getSession = async () => session;
  return { getSession, getLiveSession: getSession, getSignIn: async () => ({ session }) };
});
vi.mock("@/lib/auth/links", async (original) => ({
  ...(await original<object>()),
  confirmLink: calls.confirmLink,
}));
vi.mock("@/lib/auth/account", async (original) => ({
  ...(await original<object>()),
  changeName: calls.changeName,
  changePassword: vi.fn(),
  choosePassword: calls.choosePassword,
}));
vi.mock("@/lib/auth/sign-out", () => ({ signOut: vi.fn() }));

let log = vi.spyOn(console, "error");
beforeEach(() => {
  log = vi.spyOn(console, "error").mockReturnValue();
  calls.choosePassword.mockResolvedValue(undefined);
});
afterEach(() => {
  vi.resetAllMocks();
  vi.restoreAllMocks();
});

const password = "a-new-password-2";
const failRedis = () => calls.withRedis.mockRejectedValue(new Error("Redis is unreachable."));

it("confirms a new password, and says when other sessions may last for 15 minutes", async () => {
  const change = () => savePassword(initialFormState, toFormData({ current: "demo-password-1", password }));
  expect(await change()).toMatchObject({
    error: null,
    message: "Password changed. You're signed out everywhere else.",
  });
  failRedis();
  expect(await change()).toMatchObject({
    error: null,
    message: "Password changed. You're signed out everywhere else within 15 minutes.",
  });
  expect(log).toHaveBeenCalledOnce();
});

it("refreshes the page after a new name, which its menu shows too", async () => {
  expect(await saveName(initialFormState, toFormData({ name: "Ada M." }))).toMatchObject({ message: "Name saved." });
  expect(calls.changeName).toHaveBeenCalledWith(expect.anything(), "Ada M.");
  expect(calls.refresh).toHaveBeenCalledAfter(calls.changeName);
});

it("opens the sign-in page after signing out everywhere, even without Redis", async () => {
  failRedis();
  const signedOut = endAllSessions(initialFormState, toFormData({}));
  await expect(signedOut).rejects.toMatchObject({ digest: expect.stringContaining("/login") });
});

const choose = (type: string) =>
  resetPassword(initialFormState, toFormData({ token_hash: "abc", next: "/riverside", type, password }));

it.each(["signup", "recovery"])("sets a password with the link of a %s", async (type) => {
  calls.confirmLink.mockResolvedValue(true);
  if (type === "signup") await expect(choose(type)).rejects.toThrow("NEXT_REDIRECT");
  else expect(await choose(type)).toMatchObject({ message: "Password saved. You're signed out everywhere else." });
  expect(calls.choosePassword.mock.calls).toEqual([[password]]);
});

it.each([
  ["email_change", 0],
  ["magiclink", 0],
  ["recovery", 1],
])("sets no password with the link of a %s, which is tried %i times and signs no one in", async (type, attempts) => {
  calls.confirmLink.mockResolvedValue(false);
  expect(await choose(type)).toMatchObject({ message: null });
  expect(calls.confirmLink).toHaveBeenCalledTimes(attempts);
  expect(calls.choosePassword).not.toHaveBeenCalled();
});
