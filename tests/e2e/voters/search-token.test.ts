// What a canvasser can do with the token of the voter search that her browser holds: search, and nothing else.
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPage, startBrowser } from "../../support/browser.ts";
import { publishableKey, setting, siteUrl, supabaseUrl } from "../../support/demo.ts";

const backend = setting("SEARCHSVC_URL_SEARCH");
const account = {
  email: setting("SEARCHSVC_API_EMAIL_SEARCH"),
  password: setting("SEARCHSVC_API_PASSWORD_SEARCH"),
};

let browser: Browser;
let context: BrowserContext;
let token: string;
beforeAll(async () => {
  browser = await startBrowser();
  context = await searchAs("canvasser@demo.test");
  token = (await cookie(context))?.value ?? "";
});
afterAll(() => browser.close());

async function searchAs(email: string) {
  const page = await openPage(browser, email);
  await page.goto("/riverside/voters");
  await page.getByLabel("Name, address, zip or voter id").fill("smi");
  await page.getByText(/^1–25 of \d/).waitFor();
  return page.context();
}
const cookie = async (of: BrowserContext) => (await of.cookies()).find(({ name }) => name === "searchsvc_token_search");

const send = (url: string, method: string, headers: Record<string, string>, body?: unknown) =>
  fetch(url, {
    method,
    redirect: "manual",
    headers: { "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const bearer = () => ({ apikey: publishableKey, authorization: `Bearer ${token}` });

test("the browser keeps the token of the backend, where no script reads it", async () => {
  expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  expect(await cookie(context)).toMatchObject({ httpOnly: true, secure: true, sameSite: "Strict", path: "/" });
  const [page] = context.pages();
  expect(await page?.evaluate(() => document.cookie)).not.toContain("searchsvc");
});

test("another person's is another", async () => {
  const other = await searchAs("staff@demo.test");
  expect((await cookie(other))?.value).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  expect((await cookie(other))?.value).not.toBe(token);
  await other.close();
});

describe("with it alone", () => {
  test("voters are found", async () => {
    const response = await send(`${backend}/essearch/validation`, "POST", { authorization: `Bearer ${token}` }, {});
    expect(response.status).toBe(200);
  });

  test.each<[method: string, path: string, body?: unknown]>([
    ["GET", "/auth/v1/user"],
    ["PUT", "/auth/v1/user", { password: "stolen-password-1" }],
    ["PUT", "/auth/v1/user", { email: "stolen@demo.test" }],
    ["PUT", "/auth/v1/user", { data: { name: "stolen" } }],
    ["POST", "/auth/v1/logout?scope=global"],
    ["POST", "/auth/v1/logout?scope=others"],
    ["POST", "/auth/v1/logout?scope=local"],
    ["POST", "/auth/v1/logout"],
    ["GET", "/auth/v1/reauthenticate"],
    ["GET", "/auth/v1/user/identities/authorize?provider=github"],
    ["GET", "/auth/v1/factors"],
    ["POST", "/auth/v1/factors", { factor_type: "totp", friendly_name: "stolen" }],
    ["GET", "/auth/v1/admin/users"],
    ["POST", "/auth/v1/admin/users", { email: "stolen@demo.test", password: "stolen-password-1" }],
    ["GET", "/auth/v1/oauth/authorizations"],
  ])("Auth refuses %s %s", async (method, path, body) => {
    const response = await send(supabaseUrl + path, method, bearer(), body);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(await response.text()).not.toContain("access_token");
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

  test.each<[method: string, path: string, body?: unknown]>([
    ["GET", "/rest/v1/"],
    ["GET", "/rest/v1/teams?select=*"],
    ["GET", "/rest/v1/campaigns?select=*"],
    ["GET", "/rest/v1/team_users?select=*"],
    ["GET", "/rest/v1/profiles?select=*"],
    ["GET", "/rest/v1/lines?select=*"],
    ["GET", "/rest/v1/charts?select=*"],
    ["GET", "/rest/v1/roles?select=*"],
    ["GET", "/rest/v1/permission_keys?select=*"],
    ["POST", "/rest/v1/teams", { id: "stolen", name: "stolen" }],
    ["POST", "/rest/v1/rpc/search_voters", { p_params: {} }],
    ["POST", "/rest/v1/rpc/permission_places", { p_user_id: crypto.randomUUID() }],
    ["POST", "/rest/v1/rpc/searches_with_profile", { p_user_id: crypto.randomUUID(), p_profile: "NY" }],
  ])("REST refuses %s %s, as a bearer and as a key", async (method, path, body) => {
    for (const headers of [bearer(), { apikey: token }, { apikey: token, authorization: `Bearer ${token}` }]) {
      const response = await send(supabaseUrl + path, method, headers, body);
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.status).toBeLessThan(500);
    }
  });

  test.each([
    ["GET", "get-permissions-snapshot", 401],
    ["GET", "get-permissions-snapshot?team_id=riverside&campaign_id=clean-water", 401],
    ["POST", "invalidate-permissions", 401],
    ["POST", "sync-signers", 401],
    ["POST", "search-backend/auth/login", 400],
  ] as const)("the function refuses %s %s", async (method, path, status) => {
    for (const headers of [bearer(), { apikey: token }]) {
      const body = method === "POST" ? {} : undefined;
      const response = await send(`${supabaseUrl}/functions/v1/${path}`, method, headers, body);
      expect(response.status).toBe(status);
    }
  });

  test("Signet takes it for no session", async () => {
    const session = {
      access_token: token,
      refresh_token: token,
      token_type: "bearer",
      expires_in: 300,
      expires_at: 4e9,
    };
    const value = `base64-${Buffer.from(JSON.stringify({ ...session, user: { id: crypto.randomUUID() } })).toString("base64url")}`;
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

  test("after all of that the account is as it was, and so is the search", async () => {
    const login = await send(`${backend}/auth/login`, "POST", {}, { ...account, mode: "json" });
    expect(login.status).toBe(200);
    const [page] = context.pages();
    await page?.getByLabel("Name, address, zip or voter id").fill("garc");
    await page?.getByText(/^1–25 of \d/).waitFor();
  });
});
