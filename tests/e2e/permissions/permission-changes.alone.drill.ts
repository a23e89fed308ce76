import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { type AccessRows, readAccessRows, restoreAccessRows } from "../../support/access-rows.ts";
import { callAction } from "../../support/call-action.ts";
import { carryOutChanges, restAsService, setting, signInOverApi, siteUrl } from "../../support/demo.ts";
import { pageOutcome } from "../../support/page-outcome.ts";
import { cookieOf } from "../../support/session-cookies.ts";

// A change of each of the nine tables (contract 2.2, without charts) in the running application: whom it affects, her
// pages follow; whom it does not, hers are still decided by the snapshots that were cached before.

const people = ["admin", "staff", "clerk", "canvasser", "analyst", "hill"] as const;
type Name = (typeof people)[number];
const idOf = Object.fromEntries(
  await Promise.all(people.map(async (name) => [name, (await signInOverApi(`${name}@demo.test`)).userId])),
) as Record<Name, string>;
const cookies = Object.fromEntries(
  await Promise.all(people.map(async (name) => [name, await cookieOf(name)])),
) as Record<Name, string>;

/** A page of somebody, and what it answers. */
type Seen = { who: Name; path: string; before: string; after: string };
type Change = {
  affected: Seen;
  /** Somebody as near to the change as can be. */
  unaffected: { who: Name; path: string };
  bySql: { method: string; path: string; body?: object };
  /** The same as the administrator's screens send it; none changes the scope of a role. */
  byAction?: object;
};

const overview = "/riverside/campaign/clean-water";
const clerk = { who: "clerk", path: overview } as const;
const sees = (who: Name, path: string, before: string, after: string): Seen => ({ who, path, before, after });

let original: AccessRows;
let prepared: AccessRows;
let changes: Record<string, Change>;
beforeAll(async () => {
  original = await readAccessRows();
  changes = await prepare();
  await carryOutChanges();
  prepared = await readAccessRows();
});
beforeEach(() => restoreAccessRows(prepared));
afterAll(() => restoreAccessRows(original));

/** Gives the canvasser a role and a set that are the team's own, and Hillside another administrator and a bundle. */
async function prepare(): Promise<Record<string, Change>> {
  const add = async (table: string, row: object) => {
    const [made] = (await restAsService(table, { method: "POST", body: row })) as { id: string }[];
    return made?.id ?? "";
  };
  const idNamed = (table: string, name: string) => {
    const row = original[table]?.find((one) => one.name === name && one.team_id === null);
    if (!row) throw new Error(`There is no ${name} in ${table}.`);
    return String(row.id);
  };
  const role = (name: string) => idNamed("roles", name);
  const set = (name: string) => idNamed("permission_sets", name);

  const helpers = await add("roles", { team_id: "riverside", name: "Helpers" });
  const helping = await add("permission_sets", { team_id: "riverside", name: "Helping" });
  for (const permission_set_id of [set("Voter search"), helping]) {
    await add("role_p_sets", { role_id: helpers, permission_set_id });
  }
  const canvassers = `user_id=eq.${idOf.canvasser}&team_id=eq.riverside`;
  await restAsService(`team_users?${canvassers}`, { method: "PATCH", body: { role_id: helpers } });
  const parks = { team_id: "hillside", campaign_id: "open-parks", permission_set_id: set("Chart reading") };
  await restAsService(
    `team_p_sets?team_id=eq.hillside&permission_set_id=in.(${set("Chart reading")},${set("Chart building")})`,
    {
      method: "DELETE",
    },
  );
  await add("campaign_team_sets", parks);
  const administrator = { user_id: idOf.admin, role_id: role("Administrator"), status: "active" };
  await add("team_users", { ...administrator, team_id: "hillside" });

  const bundle = original.team_p_sets?.filter((row) => row.team_id === "riverside") ?? [];
  const ofRiverside = bundle.map((row) => String(row.permission_set_id));
  const membership = (name: string) => ({ roleId: role(name), status: "active" });
  const canvasser = { roleId: role("Canvasser"), setIds: [] };
  const place = { userId: idOf.canvasser, campaign: "clean-water", before: canvasser };

  return {
    team_users: {
      affected: sees("analyst", "/riverside/members", "is refused", "opens"),
      unaffected: { who: "staff", path: "/riverside/members" },
      bySql: {
        method: "PATCH",
        path: `team_users?user_id=eq.${idOf.analyst}&team_id=eq.riverside`,
        body: { role_id: role("Office") },
      },
      byAction: {
        kind: "members",
        team: "riverside",
        members: [{ userId: idOf.analyst, before: membership("Member"), after: membership("Office") }],
      },
    },
    roles: {
      affected: sees("analyst", "/riverside/roles", "is refused", "opens"),
      unaffected: clerk,
      bySql: { method: "PATCH", path: `roles?id=eq.${role("Member")}`, body: { scope: "inherit_team" } },
    },
    team_p_sets: {
      affected: sees("admin", `${overview}/dashboard/charts/new`, "opens", "is refused"),
      unaffected: { who: "hill", path: "/hillside/roles" },
      bySql: {
        method: "DELETE",
        path: `team_p_sets?team_id=eq.riverside&permission_set_id=eq.${set("Chart building")}`,
      },
      byAction: {
        kind: "team-sets",
        team: "riverside",
        before: ofRiverside,
        after: ofRiverside.filter((id) => id !== set("Chart building")),
      },
    },
    role_p_sets: {
      affected: sees("canvasser", "/riverside/members", "is refused", "opens"),
      unaffected: clerk,
      bySql: {
        method: "POST",
        path: "role_p_sets",
        body: { role_id: helpers, permission_set_id: set("Member list") },
      },
      byAction: {
        kind: "role-sets",
        team: "riverside",
        roleId: helpers,
        before: [set("Voter search"), helping],
        after: [set("Voter search"), helping, set("Member list")],
      },
    },
    permission_set_keys: {
      affected: sees("canvasser", "/riverside/members", "is refused", "opens"),
      unaffected: clerk,
      bySql: {
        method: "POST",
        path: "permission_set_keys",
        body: { permission_set_id: helping, key: "members.view" },
      },
      byAction: {
        kind: "set-keys",
        team: "riverside",
        sets: [{ setId: helping, before: [], after: ["members.view"] }],
      },
    },
    campaign_user_roles_team: {
      affected: sees("canvasser", overview, "opens", "/riverside/campaign/no-access"),
      unaffected: clerk,
      bySql: { method: "DELETE", path: `campaign_user_roles_team?${canvassers}` },
      byAction: { kind: "campaigns", team: "riverside", places: [{ ...place, after: { roleId: null, setIds: [] } }] },
    },
    campaign_user_team_sets: {
      affected: sees("canvasser", `${overview}/signatures`, "is refused", "opens"),
      unaffected: clerk,
      bySql: {
        method: "POST",
        path: "campaign_user_team_sets",
        body: {
          user_id: idOf.canvasser,
          team_id: "riverside",
          campaign_id: "clean-water",
          permission_set_id: set("Signature reading"),
        },
      },
      byAction: {
        kind: "campaigns",
        team: "riverside",
        places: [{ ...place, after: { ...canvasser, setIds: [set("Signature reading")] } }],
      },
    },
    campaign_team: {
      affected: sees("hill", "/hillside/campaign/safe-streets", "/hillside/campaign/no-access", "opens"),
      unaffected: clerk,
      bySql: { method: "POST", path: "campaign_team", body: { team_id: "hillside", campaign_id: "safe-streets" } },
      byAction: { kind: "attach-campaign", team: "hillside", campaign: "safe-streets" },
    },
    campaign_team_sets: {
      affected: sees("hill", "/hillside/campaign/open-parks/dashboard", "opens", "is refused"),
      unaffected: clerk,
      bySql: { method: "DELETE", path: "campaign_team_sets?team_id=eq.hillside" },
      byAction: {
        kind: "campaign-sets",
        team: "hillside",
        campaign: "open-parks",
        before: [set("Chart reading")],
        after: [],
      },
    },
  };
}

const healthSchema = z.object({
  permissionCache: z.object({ hit: z.number(), miss: z.number(), bypass: z.number(), recompute: z.number() }),
});
async function counters() {
  const response = await fetch(`${siteUrl}/api/health`, { headers: { apikey: setting("SUPABASE_SECRET_KEY") } });
  return healthSchema.parse(await response.json()).permissionCache;
}

/** Asks for somebody's page; nobody else may ask meanwhile. What it answers, and where its snapshots came from. */
async function read({ who, path }: { who: Name; path: string }) {
  const before = await counters();
  const outcome = await pageOutcome(path, cookies[who]);
  const after = await counters();
  if (after.miss + after.recompute > before.miss + before.recompute) return `${outcome}, computed`;
  return after.bypass > before.bypass ? `${outcome}, past the cache` : `${outcome}, from the cache`;
}
const slowly = { timeout: 30_000, interval: 100 };
const untilCached = (seen: Seen | Change["unaffected"], outcome: string) =>
  expect.poll(() => read(seen), slowly).toBe(`${outcome}, from the cache`);

/** The first read that the cache took part in: it takes none while changes may be waiting to be carried out. */
async function readByCache(seen: Change["unaffected"]) {
  let answer = "";
  await expect.poll(async () => (answer = await read(seen)), slowly).not.toContain("past the cache");
  return answer;
}

const changeOf = (table: string) => {
  const change = changes[table];
  if (!change) throw new Error(`There is no change of ${table}.`);
  return change;
};
const tables = [
  "team_users",
  "roles",
  "team_p_sets",
  "role_p_sets",
  "permission_set_keys",
  "campaign_user_roles_team",
  "campaign_user_team_sets",
  "campaign_team",
  "campaign_team_sets",
];

describe("who is affected follows, who is not keeps her snapshots", () => {
  test.each(tables)("%s changed by SQL, within 10 s", async (table) => {
    const { affected, unaffected, bySql } = changeOf(table);
    await untilCached(unaffected, "opens");
    await untilCached(affected, affected.before);
    const { path, ...request } = bySql;
    await restAsService(path, request);
    // The rest is what a busy machine takes to answer.
    await expect
      .poll(() => pageOutcome(affected.path, cookies[affected.who]), { timeout: 15_000, interval: 100 })
      .toBe(affected.after);
    expect(await readByCache(unaffected)).toBe("opens, from the cache");
  });

  test.each(tables.filter((table) => table !== "roles"))(
    "%s changed by an action, on the next request",
    async (table) => {
      const { affected, unaffected, byAction } = changeOf(table);
      await untilCached(unaffected, "opens");
      await untilCached(affected, affected.before);
      const fields = { change: JSON.stringify(byAction) };
      const answer = await callAction({ action: "saveAccess", path: "/riverside", fields }, cookies.admin);
      expect(answer).toMatchObject({ error: null });
      expect(await pageOutcome(affected.path, cookies[affected.who])).toBe(affected.after);
      expect(await readByCache(unaffected)).toBe("opens, from the cache");
    },
  );
});
