import { beforeEach, expect, test, vi } from "vitest";
import { ownEnvironment } from "../../../harness/own-environment.ts";
import { checkVariables } from "../../../scripts/doctor/check-variables.ts";

const good = {
  NEXT_PUBLIC_SUPABASE_URL: "https://ref.supabase.co",
  NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY: "sb_publishable_x-Y_1",
  SUPABASE_SECRET_KEY: "sb_secret_x-Y_1",
  REDIS_URL: "rediss://user:password@one:6379,two:6379",
  SITE_URL: "https://signet.example",
  TRUSTED_PROXIES: "0",
};
beforeEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in ownEnvironment)) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries(good)) vi.stubEnv(name, value);
});

const findings = async (env: Record<string, string>) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  return (await checkVariables()).map((finding) => `${finding.state}: ${finding.message}`);
};
const jwt = (role: string) => `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(JSON.stringify({ role })).toString("base64url")}.x`;
const search = {
  SEARCHSVC_URL_NY: "https://search.example",
  SEARCHSVC_API_EMAIL_NY: "search@people.test",
  SEARCHSVC_API_PASSWORD_NY: "secret",
};

test.each<[what: string, env: Record<string, string>]>([
  ["only what is required", {}],
  ["old keys", { NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY: jwt("anon"), SUPABASE_SECRET_KEY: jwt("service_role") }],
  ["a local stack", { SITE_URL: "http://localhost:3000", NEXT_PUBLIC_SUPABASE_URL: "http://127.0.0.1:54321/" }],
  ["a whole search", { ...search, SEARCHSVC_FIELDS_NY: "street, similar" }],
])("accepts %s", async (_, env) => {
  expect(await findings(env)).toEqual(["ok: set and well-formed"]);
});

test.each<[env: Record<string, string>, says: string]>([
  [{ SUPABASE_SECRET_KEY: "" }, "SUPABASE_SECRET_KEY is not set."],
  [{ NEXT_PUBLIC_SUPABASE_URL: "ref.supabase.co" }, "NEXT_PUBLIC_SUPABASE_URL isn't a valid URL."],
  [
    { NEXT_PUBLIC_SUPABASE_URL: "https://supabase.com/dashboard/project/ref" },
    "NEXT_PUBLIC_SUPABASE_URL has more than an origin.",
  ],
  [{ SITE_URL: "https://user@signet.example" }, "SITE_URL has more than an origin."],
  [{ SITE_URL: "http://10.0.0.1" }, "SITE_URL is http: others on the network can read what is sent there."],
  [{ SUPABASE_SECRET_KEY: "sb_publishable_x" }, "SUPABASE_SECRET_KEY is a publishable key."],
  [{ SUPABASE_SECRET_KEY: jwt("anon") }, "SUPABASE_SECRET_KEY is a legacy key for the role anon."],
  [{ SUPABASE_SECRET_KEY: "sb_secret_…" }, "SUPABASE_SECRET_KEY isn't a Supabase key."],
  [
    { NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY: jwt("service_role") },
    "NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY is a legacy key for the role service_role.",
  ],
  [{ REDIS_URL: "https://eu1.upstash.example" }, "REDIS_URL isn't a Redis address."],
  [{ REDIS_URL: "redis://one:x,two:6379" }, "REDIS_URL isn't a Redis address."],
  [{ RATE_LIMIT_SEARCH: "many" }, "RATE_LIMIT_SEARCH"],
  [{ TRUSTED_PROXIES: "-1" }, "TRUSTED_PROXIES"],
  [
    { TRUSTED_PROXIES: "1", SUPABASE_SECRET_KEY: jwt("service_role") },
    "TRUSTED_PROXIES is set, but Supabase only accepts",
  ],
  [{ ...search, SEARCHSVC_API_EMAIL_NY: "" }, "The search NY is only partly set: SEARCHSVC_API_EMAIL_NY is missing."],
  [{ ...search, SEARCHSVC_FIELDS_NY: "street,phone" }, "SEARCHSVC_FIELDS_NY has unknown fields: phone."],
  [{ SEARCHSVC_FIELDS_NY: "street" }, "SEARCHSVC_FIELDS_NY is unused: SEARCHSVC_URL_NY is not set."],
])("reports %j as wrong, and nothing else", async (env, says) => {
  expect(await findings(env)).toEqual([expect.stringContaining(says)]);
  expect(await findings(env)).toEqual([expect.stringMatching(/^wrong: /)]);
});

test("asks for the number of proxies where clients come from other machines", async () => {
  const warned = [
    "ok: set and well-formed",
    expect.stringMatching(/^warning: TRUSTED_PROXIES is not set: .+ 0 for none\.$/),
  ];
  expect(await findings({ TRUSTED_PROXIES: "" })).toEqual(warned);
  expect(await findings({ SITE_URL: "http://localhost:3000" })).toEqual(["ok: set and well-formed"]);
});
