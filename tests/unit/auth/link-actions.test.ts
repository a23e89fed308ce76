import { afterEach, expect, it, vi } from "vitest";
import { type submitLink, submitNewPassword } from "@/app/auth/confirm/actions";

// What the links of e-mails are let do; Auth and the permissions are the ones that answer here.

const calls = vi.hoisted(() => ({ confirmLink: vi.fn(), choosePassword: vi.fn() }));
vi.mock("@/lib/auth/confirm-link", async (original) => ({
  ...(await original<object>()),
  confirmLink: calls.confirmLink,
}));
vi.mock("@/lib/auth/change-password", async (original) => ({
  ...(await original<object>()),
  choosePassword: calls.choosePassword,
}));
vi.mock("@/lib/auth/get-session", () => ({ getSignIn: async () => ({ session: { userId: "u" } }) }));
vi.mock("@/lib/permissions/refresh-permissions", () => ({ tryRefreshPermissions: async () => false }));

afterEach(() => vi.resetAllMocks());

const nothing = { message: null, error: null };
function send(action: typeof submitLink, fields: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ token_hash: "abc", next: "/riverside", ...fields }))
    form.set(name, value);
  return action(nothing, form);
}
const password = "a-new-password-2";

it.each(["signup", "recovery"])("a password is chosen with the link of a %s, and not without", async (type) => {
  calls.confirmLink.mockResolvedValue(true);
  calls.choosePassword.mockResolvedValue(undefined);
  await expect(send(submitNewPassword, { type, password })).rejects.toThrow("NEXT_REDIRECT");
  expect(calls.choosePassword.mock.calls).toEqual([[password]]);
});

it.each(["email_change", "magiclink"])(
  "a password is not chosen with the link of a %s, which is not used up",
  async (type) => {
    expect(await send(submitNewPassword, { type, password })).toMatchObject({ message: null });
    expect([calls.confirmLink, calls.choosePassword].map(({ mock }) => mock.calls)).toEqual([[], []]);
  },
);

it("whoever is signed in keeps her password when the link signs nobody in", async () => {
  calls.confirmLink.mockResolvedValue(false);
  expect(await send(submitNewPassword, { type: "recovery", password })).toMatchObject({ message: null });
  expect(calls.choosePassword).not.toHaveBeenCalled();
});
