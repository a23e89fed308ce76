import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestDatabase, type Person, type TestDatabase } from "../../support/test-database.ts";
import { type AdministeredTeam, administeredRows, makeAdministeredTeam } from "./administered-team.ts";

// Hana manages members and roles and is no administrator: she does not hold charts.edit, nor reaches safe-streets. She
// tries to give both, to herself and to a friend, in each way that there is, through the function and over REST.

let database: TestDatabase;
let team: AdministeredTeam;
let hana: Person;
let friend: Person;
let hanas: { role: string; set: string };
beforeAll(async () => {
  database = await openTestDatabase();
  team = await makeAdministeredTeam(database);
  hana = await database.signUp("hana");
  friend = await database.signUp("friend");
  const one = async (statement: string) => {
    const [row] = await database.sql<{ id: string }>(`${statement} returning id`);
    return row?.id ?? "";
  };
  hanas = {
    role: await one("insert into public.roles (team_id, name) values ('riverside', 'Manager')"),
    set: await one("insert into public.permission_sets (team_id, name) values ('riverside', 'Managing')"),
  };
  await database.sql(
    "insert into public.permission_set_keys select $1, unnest(array['members.view', 'members.manage', 'roles.manage'])",
    [hanas.set],
  );
  await database.sql("insert into public.role_p_sets values ($1, $2)", [hanas.role, hanas.set]);
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.sql("delete from public.team_users where user_id in ($1, $2)", [hana.id, friend.id]);
  for (const { id } of [hana, friend]) {
    await database.sql(
      "insert into public.team_users (user_id, team_id, role_id, status) values ($1, 'riverside', $2, 'active')",
      [id, hanas.role],
    );
    await database.sql("insert into public.campaign_user_roles_team values ($1, 'riverside', 'clean-water', $2)", [
      id,
      team.roles.Member,
    ]);
  }
});

const place = (userId: string, campaign: string, after: object) => ({
  kind: "campaigns",
  places: [
    {
      userId,
      campaign,
      before: campaign === "clean-water" ? { roleId: team.roles.Member, setIds: [] } : { roleId: null, setIds: [] },
      after,
    },
  ],
});

const changes: Record<string, [outcome: string, change: () => object]> = {
  "a role of the team that holds more": [
    "more-than-own",
    () => ({
      kind: "members",
      members: [
        {
          userId: friend.id,
          before: { roleId: hanas.role, status: "active" },
          after: { roleId: team.roles.Administrator, status: "active" },
        },
      ],
    }),
  ],
  "a role in a campaign, to a friend": [
    "more-than-own",
    () => place(friend.id, "clean-water", { roleId: team.roles.Analyst, setIds: [] }),
  ],
  "a role in a campaign, to herself": [
    "more-than-own",
    () => place(hana.id, "clean-water", { roleId: team.roles.Analyst, setIds: [] }),
  ],
  "a set in a campaign": [
    "more-than-own",
    () => place(hana.id, "clean-water", { roleId: team.roles.Member, setIds: [team.sets["Chart building"]] }),
  ],
  "a campaign that she does not reach": [
    "not-allowed",
    () => place(hana.id, "safe-streets", { roleId: team.roles.Member, setIds: [] }),
  ],
  "a set in her own role": [
    "more-than-own",
    () => ({
      kind: "role-sets",
      roleId: hanas.role,
      before: [hanas.set],
      after: [hanas.set, team.sets["Chart building"]],
    }),
  ],
  "a key in her own set": [
    "more-than-own",
    () => ({
      kind: "set-keys",
      sets: [
        {
          setId: hanas.set,
          before: ["members.manage", "members.view", "roles.manage"],
          after: ["charts.edit", "members.manage", "members.view", "roles.manage"],
        },
      ],
    }),
  ],
  "a set to administrators in a campaign": [
    "gone",
    () => ({ kind: "campaign-sets", campaign: "safe-streets", before: [], after: [team.sets["Chart building"]] }),
  ],
  "a campaign of another team": ["not-allowed", () => ({ kind: "attach-campaign", campaign: "hill-only" })],
};

describe("through the function", () => {
  test.each(Object.entries(changes))("nobody gives more than she holds: %s", async (_what, [outcome, change]) => {
    const before = await administeredRows(database);
    const body = { p_change: { team: "riverside", ...change() } };
    expect((await database.rest("rpc/change_access", { as: hana, body })).body).toEqual({ outcome });
    expect(await administeredRows(database)).toEqual(before);
  });
});

describe("over REST", () => {
  const requests: Record<string, () => [method: string, path: string, body: object]> = {
    "her own role": () => ["PATCH", `team_users?user_id=eq.${hana.id}`, { role_id: team.roles.Administrator }],
    "a friend's role": () => ["PATCH", `team_users?user_id=eq.${friend.id}`, { role_id: team.roles.Administrator }],
    "everyone's role": () => ["PATCH", "team_users?team_id=eq.riverside", { role_id: team.roles.Administrator }],
    "her row moved to another team": () => ["PATCH", `team_users?user_id=eq.${friend.id}`, { team_id: "hillside" }],
    "a membership of another team": () => [
      "POST",
      "team_users",
      { user_id: hana.id, team_id: "hillside", role_id: team.roles.Administrator, status: "active" },
    ],
    "a role in a campaign": () => [
      "PATCH",
      `campaign_user_roles_team?user_id=eq.${hana.id}`,
      { role_id: team.roles.Analyst },
    ],
    "a set in a campaign": () => [
      "POST",
      "campaign_user_team_sets",
      {
        user_id: hana.id,
        team_id: "riverside",
        campaign_id: "clean-water",
        permission_set_id: team.sets["Chart building"],
      },
    ],
    "a campaign that she does not reach": () => [
      "POST",
      "campaign_user_roles_team",
      { user_id: hana.id, team_id: "riverside", campaign_id: "safe-streets", role_id: team.roles.Member },
    ],
    "a set in her role": () => [
      "POST",
      "role_p_sets",
      { role_id: hanas.role, permission_set_id: team.sets["Chart building"] },
    ],
    "a set in a built-in role": () => [
      "POST",
      "role_p_sets",
      { role_id: team.roles.Member, permission_set_id: team.sets["Chart building"] },
    ],
    "a key in her set": () => ["POST", "permission_set_keys", { permission_set_id: hanas.set, key: "charts.edit" }],
    "a key in a built-in set": () => [
      "POST",
      "permission_set_keys",
      { permission_set_id: team.sets["Voter search"], key: "charts.edit" },
    ],
    "a campaign of another team": () => ["POST", "campaign_team", { team_id: "riverside", campaign_id: "hill-only" }],
    "a set to another team's administrators": () => [
      "POST",
      "team_p_sets",
      { team_id: "hillside", permission_set_id: hanas.set },
    ],
    "a role made one of administrators": () => ["PATCH", `roles?id=eq.${hanas.role}`, { scope: "inherit_team" }],
  };

  test.each(Object.entries(requests))("nobody gives more than she holds: %s", async (_what, request) => {
    const before = await administeredRows(database);
    const [method, path, body] = request();
    const { status } = await database.rest(path, { as: hana, method, body });
    expect(status === 204 || status >= 400, String(status)).toBe(true);
    expect(await administeredRows(database)).toEqual(before);
  });

  test("she gives what she holds", async () => {
    const own = { role_id: hanas.role };
    const answer = await database.rest(`campaign_user_roles_team?user_id=eq.${friend.id}`, {
      as: hana,
      method: "PATCH",
      body: own,
    });
    expect(answer.status).toBe(204);
    expect(
      await database.sql("select role_id from public.campaign_user_roles_team where user_id = $1", [friend.id]),
    ).toEqual([own]);
  });

  test("the last administrator is neither removed, demoted nor suspended", async () => {
    const rows = await administeredRows(database);
    const path = `team_users?user_id=eq.${team.person("admin").id}&team_id=eq.riverside`;
    for (const [method, body] of [
      ["DELETE", undefined],
      ["PATCH", { status: "suspended" }],
      ["PATCH", { role_id: team.roles.Member }],
    ] as const) {
      const { status, body: said } = await database.rest(path, { as: hana, method, body });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(JSON.stringify(said)).toContain("A team keeps an active administrator.");
    }
    expect(await administeredRows(database)).toEqual(rows);
  });
});

describe("what is not in force yet", () => {
  const refusal = { status: 200, body: { outcome: "more-than-own" } };
  const call = (as: Person, change: object) =>
    database.rest("rpc/change_access", { as, body: { p_change: { team: "riverside", ...change } } });
  const refused = async (change: object, outcome: unknown = refusal) => {
    const before = await administeredRows(database);
    expect(await call(hana, change)).toEqual(outcome);
    expect(await administeredRows(database)).toEqual(before);
  };
  const memberTo = (before: object, after: object) => ({
    kind: "members",
    members: [{ userId: friend.id, before, after }],
  });

  describe.each(["suspended", "invited"])("a member who is %s", (status) => {
    beforeEach(async () => {
      await database.sql("update public.team_users set status = $2 where user_id = $1", [friend.id, status]);
    });

    test("is given no role that holds more than the giver does", async () => {
      const roleId = hanas.role;
      await refused(memberTo({ roleId, status }, { roleId: team.roles.Administrator, status }));
      const over = await database.rest(`team_users?user_id=eq.${friend.id}`, {
        as: hana,
        method: "PATCH",
        body: { role_id: team.roles.Administrator },
      });
      expect(over.status).toBeGreaterThanOrEqual(400);
    });

    test("is given no role or set in a campaign that holds more", async () => {
      await refused(place(friend.id, "clean-water", { roleId: team.roles.Analyst, setIds: [] }));
      await refused(
        place(friend.id, "clean-water", { roleId: team.roles.Member, setIds: [team.sets["Chart building"]] }),
      );
    });

    test("does not hold more once her role or its set has grown", async () => {
      await database.sql("update public.team_users set role_id = $2, status = 'active' where user_id = $1", [
        hana.id,
        team.roles.Administrator,
      ]);
      await database.sql("delete from public.team_p_sets where permission_set_id = $1", [team.sets["Chart building"]]);
      const grown = [team.sets["Chart building"], hanas.set].sort();
      await refused({ kind: "role-sets", roleId: hanas.role, before: [hanas.set], after: grown });
      await database.sql("insert into public.team_p_sets values ('riverside', $1)", [team.sets["Chart building"]]);
      const admin = await call(hana, { kind: "role-sets", roleId: hanas.role, before: [hanas.set], after: grown });
      expect(admin.body).toEqual({ outcome: "done" });
      await database.sql("delete from public.role_p_sets where permission_set_id = $1", [team.sets["Chart building"]]);
    });
  });

  test("an administrator is given nothing in a campaign that stays when she is none any more", async () => {
    await database.sql("update public.team_users set role_id = $2 where user_id = $1", [
      friend.id,
      team.roles.Administrator,
    ]);
    await refused(place(friend.id, "clean-water", { roleId: team.roles.Analyst, setIds: [] }));
  });

  test("a suspended administrator is given nothing that she has already, set aside by her role", async () => {
    const building = team.sets["Chart building"];
    await database.sql("delete from public.team_users where user_id = $1", [team.person("admin").id]);
    await database.sql("update public.team_users set role_id = $2, status = 'suspended' where user_id = $1", [
      friend.id,
      team.roles.Administrator,
    ]);
    await database.sql("insert into public.campaign_user_team_sets values ($1, 'riverside', 'clean-water', $2)", [
      friend.id,
      building,
    ]);
    await database.sql("delete from public.team_p_sets where permission_set_id = $1", [building]);
    await refused({ kind: "campaign-sets", campaign: "clean-water", before: [], after: [building] });
    await database.sql("insert into public.team_p_sets values ('riverside', $1)", [building]);
    await database.sql(
      "insert into public.team_users (user_id, team_id, role_id, status) values ($1, 'riverside', $2, 'active')",
      [team.person("admin").id, team.roles.Administrator],
    );
  });

  test("nobody is made invited, which an accepted link would make active", async () => {
    const roleId = hanas.role;
    await refused(memberTo({ roleId, status: "active" }, { roleId, status: "invited" }), {
      status: 200,
      body: { outcome: "stale" },
    });
    const over = await database.rest(`team_users?user_id=eq.${friend.id}`, {
      as: hana,
      method: "PATCH",
      body: { status: "invited" },
    });
    expect(over.status).toBeGreaterThanOrEqual(400);
  });
});

describe("a campaign comes into another team", () => {
  const attach = { team: "hillside", kind: "attach-campaign", campaign: "clean-water" };
  const hill = () => team.person("hill"); // administers hillside
  beforeEach(async () => {
    await database.sql("delete from public.team_users where user_id = $1 and team_id = 'riverside'", [hill().id]);
    await database.sql(
      "insert into public.team_users (user_id, team_id, role_id, status) values ($1, 'riverside', $2, 'active')",
      [hill().id, hanas.role],
    );
    await database.sql("insert into public.campaign_user_roles_team values ($1, 'riverside', 'clean-water', $2)", [
      hill().id,
      team.roles.Member,
    ]);
  });

  test("not with more than its bringer holds in it", async () => {
    const before = await administeredRows(database);
    for (const verb of ["change_access", "preview_access_change"]) {
      const { body } = await database.rest(`rpc/${verb}`, { as: hill(), body: { p_change: attach } });
      expect(body).toEqual({ outcome: "more-than-own" });
    }
    const body = { team_id: "hillside", campaign_id: "clean-water" };
    expect((await database.rest("campaign_team", { as: hill(), body })).status).toBeGreaterThanOrEqual(400);
    expect(await administeredRows(database)).toEqual(before);
  });

  test("not by what is kept for its bringer in the same team, which does not have it", async () => {
    const sets = await database.sql<{ permission_set_id: string }>(
      "delete from public.team_p_sets where team_id = 'riverside' returning permission_set_id", // nothing is beyond Hana
    );
    await database.sql("insert into public.campaign_user_team_sets values ($1, 'riverside', 'hill-only', $2)", [
      hana.id,
      hanas.set,
    ]);
    try {
      const p_change = { team: "riverside", kind: "attach-campaign", campaign: "hill-only" };
      const { body } = await database.rest("rpc/change_access", { as: hana, body: { p_change } });
      expect(body).toEqual({ outcome: "not-allowed" });
      const row = { team_id: "riverside", campaign_id: "hill-only" };
      expect((await database.rest("campaign_team", { as: hana, body: row })).status).toBe(403);
      expect(await database.sql("select from public.campaign_team where campaign_id = 'hill-only'")).toHaveLength(1);
    } finally {
      for (const { permission_set_id } of sets) {
        await database.sql("insert into public.team_p_sets values ('riverside', $1)", [permission_set_id]);
      }
    }
  });

  test("with what she holds there, for the administrators of that team, and logged with its goal", async () => {
    await database.sql("update public.team_users set role_id = $2 where user_id = $1 and team_id = 'riverside'", [
      hill().id,
      team.roles.Administrator,
    ]);
    await database.sql(
      "update public.campaigns set signature_goal = 50000, ends_on = '2027-02-19' where id = 'clean-water'",
    );
    const preview = await database.rest("rpc/preview_access_change", { as: hill(), body: { p_change: attach } });
    expect(preview.body).toMatchObject({
      outcome: "done",
      effects: [{ userId: hill().id, places: [{ campaign: { id: "clean-water" }, access: "opens", losses: [] }] }],
    });
    expect((await database.rest("rpc/change_access", { as: hill(), body: { p_change: attach } })).body).toEqual({
      outcome: "done",
    });
    expect(
      await database.sql(
        "select campaign_id from public.campaign_team where team_id = 'hillside' order by campaign_id",
      ),
    ).toEqual(["clean-water", "hill-only", "open-parks"].map((campaign_id) => ({ campaign_id })));
    const [logged] = await database.sql<{ after: object }>(
      "select after from public.audit_log where table_name = 'campaign_team' and team_id = 'hillside' order by id desc limit 1",
    );
    expect(logged?.after).toEqual({
      team_id: "hillside",
      campaign_id: "clean-water",
      campaign_name: "Clean water",
      signature_goal: 50000,
      ends_on: "2027-02-19",
    });
    const again = await database.rest("rpc/change_access", { as: hill(), body: { p_change: attach } });
    expect(again.body).toEqual({ outcome: "unchanged" });
  });
});
