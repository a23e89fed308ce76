import { afterEach, expect, it, vi } from "vitest";
import { submitPassword, submitSignOutEverywhere } from "@/app/account/actions";

// What is said of a change that Auth has made, while the permissions cannot be renewed.

vi.mock("next/cache", () => ({ revalidateTag: vi.fn() }));
vi.mock("@/lib/auth/require-user", () => {
  const requireUser = async () => ({ userId: "u", email: "ada@people.test" });
  return { requireUser, requireLiveUser: requireUser };
});
const redis = vi.hoisted(() => ({ withRedis: vi.fn() }));
vi.mock("@/lib/redis", () => redis);
vi.mock("@/lib/auth/change-password", async (original) => ({
  ...(await original<object>()),
  changePassword: vi.fn(),
}));
vi.mock("@/lib/auth/sign-out", () => ({ signOut: vi.fn() }));

afterEach(() => vi.restoreAllMocks());

function send(action: typeof submitPassword, fields: Record<string, string> = {}) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return action({ message: null, error: null }, form);
}
const change = () => send(submitPassword, { current: "demo-password-1", password: "a-new-password-2" });

it("a new password is said to be changed, and until when it may not hold elsewhere", async () => {
  redis.withRedis.mockResolvedValue(undefined);
  expect(await change()).toMatchObject({ error: null, message: "Changed. Other browsers are signed out." });
  const log = vi.spyOn(console, "error").mockReturnValue();
  redis.withRedis.mockRejectedValue(new Error("Redis is away."));
  expect(await change()).toMatchObject({
    error: null,
    message: "Changed. Other browsers are signed out within 15 minutes.",
  });
  expect(log).toHaveBeenCalledOnce();
});

it("signing out everywhere goes to the sign-in page all the same", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  redis.withRedis.mockRejectedValue(new Error("Redis is away."));
  await expect(send(submitSignOutEverywhere)).rejects.toMatchObject({ digest: expect.stringContaining("/login") });
});
