// A canvasser can use the access token of their session cookie only for their own account at Auth.
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { publishableKey, signInOverApi, supabaseUrl } from "../../support/demo.ts";

const { token } = await signInOverApi("canvasser@demo.test");

async function sendRequest(method: string, path: string, body?: unknown, as = token) {
  const response = await fetch(supabaseUrl + path, {
    method,
    headers: {
      apikey: publishableKey,
      authorization: `Bearer ${as}`,
      "content-type": "application/json",
      prefer: "return=representation",
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") === true;
  return { status: response.status, body: isJson && text !== "" ? z.unknown().parse(JSON.parse(text)) : text };
}

describe("at Auth", () => {
  const user = z.looseObject({ id: z.string(), email: z.string(), role: z.string() });
  const signIn = (email: string, password: string) =>
    sendRequest("POST", "/auth/v1/token?grant_type=password", { email, password }, publishableKey);

  test("a person can't run operations on other accounts", async () => {
    const admin = await signInOverApi("admin@demo.test");
    const tried = [
      ["GET", "/admin/users", undefined],
      ["POST", "/admin/users", { email: "more@people.test", password: "stolen-password-1" }],
      ["GET", `/admin/users/${admin.userId}`, undefined],
      ["PUT", `/admin/users/${admin.userId}`, { password: "stolen-password-1" }],
      ["DELETE", `/admin/users/${admin.userId}`, undefined],
      ["POST", "/admin/generate_link", { type: "magiclink", email: "admin@demo.test" }],
      ["POST", "/invite", { email: "more@people.test" }],
      ["GET", "/admin/audit", undefined],
    ] as const;
    for (const [method, path, body] of tried) {
      const response = await sendRequest(method, `/auth/v1${path}`, body);
      expect([path, response.status >= 400 || typeof response.body === "string"]).toEqual([path, true]); // a page is not an answer
      expect(JSON.stringify(response.body)).not.toContain(admin.userId);
    }
    expect((await signInOverApi("admin@demo.test")).userId).toBe(admin.userId);
    expect((await signIn("more@people.test", "stolen-password-1")).status).toBe(400);
  });

  test("what a person writes into their account grants no access", async () => {
    const claims = { role: "service_role", app_metadata: { role: "service_role" }, is_super_admin: true };
    await sendRequest("PUT", "/auth/v1/user", { ...claims, data: claims });
    const { body } = await sendRequest("GET", "/auth/v1/user");
    expect(user.parse(body).role).toBe("authenticated");
    expect((await sendRequest("GET", "/rest/v1/teams?select=id")).status).toBe(403);
    await sendRequest("PUT", "/auth/v1/user", { data: { role: null, app_metadata: null, is_super_admin: null } });
  });
});

test.each([
  ["GET", "get-permissions-snapshot?team_id=riverside&campaign_id=clean-water", 200],
  ["GET", "get-permissions-snapshot?team_id=hillside", 200],
  ["POST", "invalidate-permissions", 401],
  ["POST", "send-emails", 401],
  ["POST", "send-invitations", 401],
  ["POST", "sync-signers", 401],
  ["POST", "search-backend/essearch/validation", 401],
] as const)("the functions answer %s %s with %i", async (method, path, status) => {
  const response = await sendRequest(method, `/functions/v1/${path}`, method === "POST" ? {} : undefined);
  expect(response.status).toBe(status);
  if (path.endsWith("hillside")) expect(response.body).toEqual({ teamAccess: false, permissionKeys: [] });
});
