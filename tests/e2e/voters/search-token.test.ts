// A canvasser can use the token of the voter search in their browser only to search.
import { expect, test } from "vitest";
import { encodeSession } from "../../../harness/session.ts";
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
/** The cookie that a person's first search sets. */
async function tokenOf(name: string) {
  const headers = { cookie: await cookieOf(name), origin: siteUrl };
  const response = await send(`${siteUrl}/api/essearch-common`, "POST", headers, { params: { lastName: "smi" } });
  expect(response.status).toBe(200);
  const cookie = response.headers.getSetCookie().find((one) => one.startsWith("searchsvc_token_search=")) ?? "";
  const [, token = ""] = /^[^=]+=([^;]*)/.exec(cookie) ?? [];
  return { token, cookie };
}
const { token, cookie } = await tokenOf("canvasser");

test("the browser stores the token of the backend hidden from scripts, a different one for each person", async () => {
  expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  for (const flag of [/; HttpOnly/i, /; Secure/i, /; SameSite=Strict/i, /; Path=\/(;|$)/i])
    expect(cookie).toMatch(flag);
  const { token: another } = await tokenOf("staff");
  expect(another).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  expect(another).not.toBe(token);
});

test("the token finds voters", async () => {
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
])("with only the token %s %s is refused, as a bearer and as a key", async (method, path, body) => {
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

test("Auth doesn't accept it as a refresh token, identity or one-time code", async () => {
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

test("Signet doesn't accept it as a session", async () => {
  const tokens = { access_token: token, refresh_token: token, token_type: "bearer" };
  const session = { ...tokens, expires_in: 300, expires_at: 4e9, user: { id: crypto.randomUUID() } };
  const own = `sb-${new URL(supabaseUrl).hostname.split(".")[0]}-auth-token`;
  const ways: Record<string, string>[] = [
    { authorization: `Bearer ${token}` },
    { cookie: `searchsvc_token_search=${token}` },
    { cookie: `${own}=${encodeSession(session)}` },
  ];
  for (const headers of ways) {
    const page = await send(`${siteUrl}/riverside/voters`, "GET", headers);
    expect([page.status, page.headers.get("location")]).toEqual([307, expect.stringContaining("/login")]);
    const search = await send(`${siteUrl}/api/essearch-common`, "POST", headers, { params: { lastName: "smi" } });
    expect(search.status).toBe(401);
  }
});

test("after these attempts the account still works", async () => {
  const login = await send(`${backend}/auth/login`, "POST", {}, { ...account, mode: "json" });
  expect(login.status).toBe(200);
});
