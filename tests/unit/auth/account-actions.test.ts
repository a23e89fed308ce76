import { afterEach, expect, it, vi } from "vitest";
import { submitPassword } from "@/app/account/actions";

// What is said of a new password that Auth has taken: whether what was cached for other browsers is gone already.

const changePassword = vi.hoisted(() => vi.fn());
vi.mock("@/lib/auth/require-user", () => {
  const requireUser = async () => ({ userId: "u", email: "ada@people.test" });
  return { requireUser, requireLiveUser: requireUser };
});
vi.mock("@/lib/auth/change-password", async (original) => ({ ...(await original<object>()), changePassword }));

afterEach(() => vi.restoreAllMocks());

it.each([
  [true, "Changed. Other browsers are signed out."],
  [false, "Changed. Other browsers are signed out within 15 minutes."],
])("permissions renewed: %s", async (atOnce, message) => {
  changePassword.mockResolvedValueOnce(atOnce);
  const form = new FormData();
  const sent = { current: "demo-password-1", password: "a-new-password-2" };
  for (const [name, value] of Object.entries(sent)) form.set(name, value);
  expect(await submitPassword({ message: null, error: null }, form)).toMatchObject({ error: null, message });
  expect(changePassword).toHaveBeenLastCalledWith({ userId: "u", email: "ada@people.test" }, sent);
});
