import { beforeEach, expect, test, vi } from "vitest";
import { requireSettings } from "../../../lib/server/require-settings.ts";

const logged = vi.spyOn(console, "info").mockImplementation(() => undefined);
beforeEach(() => {
  logged.mockClear();
  vi.stubEnv("NODE_ENV", "production");
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_URL", "https://supabase.test");
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY", "sb_publishable_test");
  vi.stubEnv("SITE_URL", "https://signet.test");
  vi.stubEnv("SUPABASE_SECRET_KEY", "sb_secret_test");
  vi.stubEnv("REDIS_URL", "redis://redis.test");
});

const logLines = (env: Record<string, string>) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  requireSettings();
  return logged.mock.calls.map(([line]) => JSON.parse(line));
};

test("logs at the start of a production server that TRUSTED_PROXIES is not set", () => {
  const message = expect.stringMatching(/^TRUSTED_PROXIES is not set: .+, 0 for none\.$/);
  expect(logLines({ TRUSTED_PROXIES: "" })).toEqual([{ event: "setting-missing", at: expect.any(String), message }]);
});

test.each<Record<string, string>>([
  { TRUSTED_PROXIES: "0" },
  { TRUSTED_PROXIES: "2" },
  { TRUSTED_PROXIES: "", NODE_ENV: "development" },
])("logs nothing with %j", (env) => expect(logLines(env)).toEqual([]));

test.each<Record<string, string>>([
  { NEXT_PUBLIC_SUPABASE_URL: "" },
  { SUPABASE_SECRET_KEY: "" },
  { REDIS_URL: "" },
  { RATE_LIMIT_SEARCH: "many" },
  { TRUSTED_PROXIES: "-1" },
])("ends the server with %j, and says so", (env) => {
  const exit = vi.spyOn(process, "exit").mockImplementation(() => {
    throw new Error("ended");
  });
  const printed = vi.spyOn(console, "error").mockImplementation(() => undefined);
  expect(() => logLines(env)).toThrow("ended");
  expect(exit).toHaveBeenCalledWith(1);
  expect(printed).toHaveBeenCalledWith(expect.stringContaining(Object.keys(env).join()));
});
