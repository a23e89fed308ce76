// What a canvasser can do with the token of the voter search that their browser holds: search, and nothing else.
import { expect, test } from "vitest";
import { publishableKey, setting, siteUrl, supabaseUrl } from "../../support/demo.ts";
import { cookieOf } from "../../support/session-cookies.ts";

const backend = setting("SEARCHSVC_URL_SEARCH");
const account = {
  email: setting("SEARCHSVC_API_EMAIL_SEARCH"),
  password: setting("SEARCHSVC_API_PASSWORD_SEARCH"),
};

const send = (url: string, method: string, headers: Record<string, string>, body?: unknown) =>
  fetch(url, {
    method,
    redirect: "manual",
    headers: { "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
/** What a person's first search has their browser keep. */
async function keptBy(name: string) {
  const headers = { cookie: await cookieOf(name), origin: siteUrl };
  const response = await send(`${siteUrl}/api/essearch-common`, "POST", headers, { params: { lastName: "smi" } });
  expect(response.status).toBe(200);
  const cookie = response.headers.getSetCookie().find((one) => one.startsWith("searchsvc_token_search=")) ?? "";
  const [, kept = ""] = /^[^=]+=([^;]*)/.exec(cookie) ?? [];
  return { kept, cookie };
}
const { kept: token, cookie } = await keptBy("canvasser");

test("the browser keeps the token of the backend, where no script reads it; another person's is another", async () => {
  expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  for (const flag of [/; HttpOnly/i, /; Secure/i, /; SameSite=Strict/i, /; Path=\/(;|$)/i])
    expect(cookie).toMatch(flag);
  const { kept } = await keptBy("staff");
  expect(kept).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  expect(kept).not.toBe(token);
});

test("with it voters are found", async () => {
  const response = await send(`${backend}/essearch/validation`, "POST", { authorization: `Bearer ${token}` }, {});
  expect(response.status).toBe(200);
});

test.each<[method: string, path: string, body?: object]>([
  ["GET", "/auth/v1/user"],
  ["PUT", "/auth/v1/user", { password: "stolen-password-1" }],
  ["PUT", "/auth/v1/user", { email: "stolen@demo.test" }],
  ["POST", "/auth/v1/logout?scope=global"],
  ["POST", "/auth/v1/logout"],
  ["GET", "/auth/v1/reauthenticate"],
  ["GET", "/auth/v1/user/identities/authorize?provider=github"],
  ["GET", "/auth/v1/factors"],
  ["POST", "/auth/v1/factors", { factor_type: "totp", friendly_name: "stolen" }],
  ["GET", "/auth/v1/admin/users"],
  ["POST", "/auth/v1/admin/users", { email: "stolen@demo.test", password: "stolen-password-1" }],
  ["GET", "/auth/v1/oauth/authorizations"],
  ["GET", "/rest/v1/"],
  ...["teams", "team_users", "profiles", "lines", "charts", "roles"].map((table): [string, string] => [
    "GET",
    `/rest/v1/${table}?select=*`,
  ]),
  ["POST", "/rest/v1/teams", { id: "stolen", name: "stolen" }],
  ["POST", "/rest/v1/rpc/search_voters", { p_params: {} }],
  ["POST", "/rest/v1/rpc/permission_places", { p_user_id: crypto.randomUUID() }],
  ["POST", "/rest/v1/rpc/searches_with_profile", { p_user_id: crypto.randomUUID(), p_profile: "NY" }],
  ["GET", "/functions/v1/get-permissions-snapshot?team_id=riverside&campaign_id=clean-water"],
  ["POST", "/functions/v1/invalidate-permissions", {}],
  ["POST", "/functions/v1/sync-signers", {}],
  ["POST", "/functions/v1/search-backend/auth/login", {}],
])("with it alone %s %s is refused, as a bearer and as a key", async (method, path, body) => {
  const authorization = `Bearer ${token}`;
  const [asBearer, asKey] = [{ authorization }, { apikey: token }];
  const ways: Record<string, string>[] = [{ apikey: publishableKey, ...asBearer }, asKey, { ...asKey, ...asBearer }];
  for (const headers of ways) {
    const response = await send(supabaseUrl + path, method, headers, body);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(await response.text()).not.toContain("access_token");
  }
});

test("Auth takes it for no refresh token, no identity and no one-time code", async () => {
  const tokens: [path: string, body: object][] = [
    ["/auth/v1/token?grant_type=refresh_token", { refresh_token: token }],
    ["/auth/v1/token?grant_type=id_token", { provider: "google", id_token: token }],
    ["/auth/v1/token?grant_type=pkce", { auth_code: token, code_verifier: token }],
    ["/auth/v1/token?grant_type=password", { email: account.email, password: token }],
    ["/auth/v1/verify", { type: "magiclink", token_hash: token }],
    ["/auth/v1/verify", { type: "recovery", email: account.email, token }],
  ];
  for (const [path, body] of tokens) {
    const response = await send(supabaseUrl + path, "POST", { apikey: publishableKey }, body);
    expect([path, response.ok]).toEqual([path, false]);
    expect(await response.text()).not.toContain("access_token");
  }
});

test("Signet takes it for no session", async () => {
  const tokens = { access_token: token, refresh_token: token, token_type: "bearer" };
  const session = { ...tokens, expires_in: 300, expires_at: 4e9, user: { id: crypto.randomUUID() } };
  const value = `base64-${Buffer.from(JSON.stringify(session)).toString("base64url")}`;
  const own = `sb-${new URL(supabaseUrl).hostname.split(".")[0]}-auth-token`;
  const ways: Record<string, string>[] = [
    { authorization: `Bearer ${token}` },
    { cookie: `searchsvc_token_search=${token}` },
    { cookie: `${own}=${value}` },
  ];
  for (const headers of ways) {
    const page = await send(`${siteUrl}/riverside/voters`, "GET", headers);
    expect([page.status, page.headers.get("location")]).toEqual([307, expect.stringContaining("/login")]);
    const search = await send(`${siteUrl}/api/essearch-common`, "POST", headers, { params: { lastName: "smi" } });
    expect(search.status).toBe(401);
  }
});

test("after all of that the account is as it was", async () => {
  const login = await send(`${backend}/auth/login`, "POST", {}, { ...account, mode: "json" });
  expect(login.status).toBe(200);
});
