// What a canvasser can do with the access token of her session cookie past Signet: read what she reaches, make changes of
// her own rights' size (none), and run her own account. The lists are whole: a new table or function must join them.
import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { publishableKey, signInOverApi, supabaseUrl } from "../../support/demo.ts";

const { token, userId } = await signInOverApi("canvasser@demo.test");

async function ask(method: string, path: string, body?: unknown, as = token) {
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

const sql = globSync("supabase/migrations/*.sql")
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");
const created = (pattern: RegExp) => [...new Set([...sql.matchAll(pattern)].map(([, name = ""]) => name))];

// Of each table: how many rows, where that is known, and what each of them must be.
const own = { user_id: userId };
const here = { team_id: "riverside" };
const builtIn = { team_id: null };
const reads: Record<string, { rows?: number; each?: object } | "denied"> = {
  teams: { rows: 1, each: { id: "riverside" } },
  campaigns: { rows: 1, each: { id: "clean-water" } },
  campaign_team: { rows: 1, each: { ...here, campaign_id: "clean-water" } },
  profiles: { rows: 1, each: own },
  team_users: { rows: 1, each: { ...own, ...here } },
  campaign_user_roles_team: { rows: 1, each: { ...own, ...here, campaign_id: "clean-water" } },
  campaign_user_team_sets: { rows: 0 },
  roles: { rows: 8, each: builtIn },
  permission_sets: { rows: 9, each: builtIn },
  permission_keys: { rows: 10 },
  permission_set_keys: { rows: 13 },
  role_p_sets: { rows: 15 },
  team_p_sets: { rows: 0 },
  campaign_team_sets: { rows: 0 },
  sheets: { rows: 0 },
  lines: { rows: 0 },
  line_changes: { rows: 0 },
  charts: "denied",
  audit_log: { rows: 0 },
  invitations: { rows: 0 },
  access_requests: { each: { ...own, ...here } },
  dashboards: "denied",
  permission_changes: "denied",
  signer_changes: "denied",
  team_search_profiles: "denied",
};
// Functions that a signed-in user may call, and what they do for one who manages nothing.
const calls: Record<string, unknown> = {
  team_activity: [],
  change_access: { outcome: "not-allowed" },
  preview_access_change: { outcome: "not-allowed" },
  create_invitations: { outcome: "not-allowed" },
  resend_invitation: { outcome: "not-open" },
  accept_invitation: { outcome: "no-invitation" },
  ask_for_access: { outcome: "no-place" },
};

describe("over REST", () => {
  test("the list has every table", () => {
    expect(Object.keys(reads).sort()).toEqual(created(/create table public\.(\w+)/g).sort());
  });

  test.each(Object.entries(reads))("she reads of %s what is hers, and no more", async (table, expected) => {
    const { status, body } = await ask("GET", `/rest/v1/${table}?select=*`);
    if (expected === "denied") {
      expect([status, body]).toMatchObject([403, { code: "42501" }]);
      return;
    }
    const rows = z.array(z.looseObject({})).parse(body);
    expect([status, rows.length]).toEqual([200, expected.rows ?? rows.length]);
    for (const row of rows) expect(row).toMatchObject(expected.each ?? {});
  });

  test.each(Object.keys(reads))("she writes nothing to %s", async (table) => {
    const before = await ask("GET", `/rest/v1/${table}?select=*`);
    const rows = z.array(z.record(z.string(), z.unknown())).catch([]).parse(before.body);
    const [column, value] = Object.entries(rows[0] ?? { id: crypto.randomUUID() })[0] ?? [];
    for (const [method, query, body] of [
      ["POST", "", rows[0] ?? {}],
      ["PATCH", `?${column}=eq.${value}`, { [column ?? ""]: value }],
      ["DELETE", `?${column}=eq.${value}`, undefined],
    ] as const) {
      if (table === "team_users" && method === "DELETE") continue; // anybody may leave a team
      const { status, body: changed } = await ask(method, `/rest/v1/${table}${query}`, body);
      expect([method, status >= 400 || JSON.stringify(changed) === "[]", status < 500]).toEqual([method, true, true]);
    }
    expect(await ask("GET", `/rest/v1/${table}?select=*`)).toEqual(before);
  });

  test("of the functions she may call these, which do nothing for her, and no other", async () => {
    const answers: Record<string, unknown> = {};
    for (const name of created(/create (?:or replace )?function public\.(\w+)/g)) {
      const [, written = ""] = new RegExp(`function public\\.${name}\\s*\\(([^)]*)\\)`).exec(sql) ?? [];
      const given = Object.fromEntries([...written.matchAll(/\b(p_\w+) /g)].map(([, argument]) => [argument, null]));
      const { status, body } = await ask("POST", `/rest/v1/rpc/${name}`, given);
      if (status === 200) answers[name] = body;
      else expect([403, 404], name).toContain(status); // 404 for one that was dropped
    }
    expect(answers).toEqual(calls);
  });

  test.each(["private", "reporting", "voterfile", "auth"])("the schema %s is not there", async (schema) => {
    const response = await fetch(`${supabaseUrl}/rest/v1/grants?select=*`, {
      headers: { apikey: publishableKey, authorization: `Bearer ${token}`, "accept-profile": schema },
    });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
  });
});

describe("at Auth", () => {
  const user = z.looseObject({ id: z.string(), email: z.string(), role: z.string() });
  const session = z.object({ access_token: z.string(), refresh_token: z.string(), user: z.object({ id: z.string() }) });
  const signIn = (email: string, password: string) =>
    ask("POST", "/auth/v1/token?grant_type=password", { email, password }, publishableKey);

  test("these are the operations on an account, each on one's own", async () => {
    const email = `${crypto.randomUUID()}@people.test`;
    const passwords = ["first-password-1", "second-password-2"] as const;
    const made = await ask("POST", "/auth/v1/signup", { email, password: passwords[0] }, publishableKey);
    const own = session.parse(made.body);
    const as = own.access_token;
    const read = await ask("GET", "/auth/v1/user", undefined, as);
    expect([read.status, user.parse(read.body)]).toMatchObject([200, { id: own.user.id, email }]);
    const named = await ask("PUT", "/auth/v1/user", { data: { name: "Hers" } }, as);
    expect([named.status, user.parse(named.body).id]).toEqual([200, own.user.id]);
    expect((await ask("PUT", "/auth/v1/user", { password: passwords[1] }, as)).status).toBe(200);
    expect((await signIn(email, passwords[0])).status).toBe(400);
    const again = session.parse((await signIn(email, passwords[1])).body);
    const refresh = { refresh_token: again.refresh_token };
    const refreshed = await ask("POST", "/auth/v1/token?grant_type=refresh_token", refresh, publishableKey);
    expect(session.parse(refreshed.body).user.id).toBe(own.user.id);
    for (const scope of ["others", "local", "global"]) {
      const { body } = await signIn(email, passwords[1]);
      const ended = await ask("POST", `/auth/v1/logout?scope=${scope}`, undefined, session.parse(body).access_token);
      expect([scope, ended.status]).toEqual([scope, 204]);
    }
  });

  test("none is on another's, nor on all", async () => {
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
      const answer = await ask(method, `/auth/v1${path}`, body);
      expect([path, answer.status >= 400 || typeof answer.body === "string"]).toEqual([path, true]); // a page is no answer
      expect(JSON.stringify(answer.body)).not.toContain(admin.userId);
    }
    expect((await signInOverApi("admin@demo.test")).userId).toBe(admin.userId);
    expect((await signIn("more@people.test", "stolen-password-1")).status).toBe(400);
  });

  test("what she writes into her account gives her no rights", async () => {
    const claims = { role: "service_role", app_metadata: { role: "service_role" }, is_super_admin: true };
    await ask("PUT", "/auth/v1/user", { ...claims, data: claims });
    const { body } = await ask("GET", "/auth/v1/user");
    expect(user.parse(body).role).toBe("authenticated");
    const { status, body: teams } = await ask("GET", "/rest/v1/teams?select=id");
    expect([status, teams]).toEqual([200, [{ id: "riverside" }]]);
    await ask("PUT", "/auth/v1/user", { data: { role: null, app_metadata: null, is_super_admin: null } });
  });
});

test.each([
  ["GET", "get-permissions-snapshot?team_id=riverside&campaign_id=clean-water", 200],
  ["GET", "get-permissions-snapshot?team_id=hillside", 200],
  ["POST", "invalidate-permissions", 401],
  ["POST", "send-invitations", 401],
  ["POST", "sync-signers", 401],
  ["POST", "search-backend/essearch/validation", 401],
] as const)("the function answers %s %s with %i", async (method, path, status) => {
  const answer = await ask(method, `/functions/v1/${path}`, method === "POST" ? {} : undefined);
  expect(answer.status).toBe(status);
  if (path.endsWith("hillside")) expect(answer.body).toEqual({ teamAccess: false, permissionKeys: [] });
});
