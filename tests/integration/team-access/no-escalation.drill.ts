import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestDatabase, type Person, type TestDatabase } from "../../support/test-database.ts";
import { type AdministeredTeam, administeredRows, callFor, makeAdministeredTeam } from "./administered-team.ts";

// Hana manages members and roles and is no administrator: she does not hold charts.edit, nor reaches safe-streets. She
// tries to give both, to herself and to a friend, in each way that there is.

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

test.each(Object.entries(changes))("nobody gives more than they hold: %s", async (_what, [outcome, change]) => {
  const before = await administeredRows(database);
  expect(
    (await callFor(database, hana, "change_access", { p_change: { team: "riverside", ...change() } })).body,
  ).toEqual({ outcome });
  expect(await administeredRows(database)).toEqual(before);
});

test("she gives what she holds", async () => {
  const before = { roleId: team.roles.Member, setIds: [] };
  const change = place(friend.id, "clean-water", { roleId: hanas.role, setIds: [] });
  expect(change.places[0]?.before).toEqual(before);
  const { body } = await callFor(database, hana, "change_access", { p_change: { team: "riverside", ...change } });
  expect(body).toEqual({ outcome: "done" });
  expect(
    await database.sql("select role_id from public.campaign_user_roles_team where user_id = $1", [friend.id]),
  ).toEqual([{ role_id: hanas.role }]);
});

describe("what is not in force yet", () => {
  const refusal = { status: 200, body: { outcome: "more-than-own" } };
  const call = (as: Person, change: object) =>
    callFor(database, as, "change_access", { p_change: { team: "riverside", ...change } });
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
      const { body } = await callFor(database, hill(), verb, { p_change: attach });
      expect(body).toEqual({ outcome: "more-than-own" });
    }
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
      const { body } = await callFor(database, hana, "change_access", { p_change });
      expect(body).toEqual({ outcome: "not-allowed" });
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
    const preview = await callFor(database, hill(), "preview_access_change", { p_change: attach });
    expect(preview.body).toMatchObject({
      outcome: "done",
      effects: [{ userId: hill().id, places: [{ campaign: { id: "clean-water" }, access: "opens", losses: [] }] }],
    });
    expect((await callFor(database, hill(), "change_access", { p_change: attach })).body).toEqual({
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
    const again = await callFor(database, hill(), "change_access", { p_change: attach });
    expect(again.body).toEqual({ outcome: "unchanged" });
  });
});
