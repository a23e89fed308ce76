import { describe, expect, test } from "vitest";
import { administeredTeam } from "./administered-team.ts";

// Access that ends: who may set an end, and what it does.

const { sql, id, role, set, make, join, change, preview, nothingChanges } = administeredTeam(async () => {
  const [managers, managing] = [
    await make("roles", "riverside", "Managers"),
    await make("permission_sets", "riverside", "Managing"),
  ];
  await sql(
    "insert into public.permission_set_keys select $1, unnest(array['members.view', 'members.manage', 'campaign.view'])",
    [managing],
  );
  await sql("insert into public.role_p_sets values ($1, $2)", [managers, managing]);
  await join("manager", "riverside", managers);
  await sql("update public.teams set time_zone = 'America/Los_Angeles' where id = 'riverside'");
});

type End = string | null;
const membership = (name: string, roleName: string, before: End, after: End, more: object = {}) => ({
  kind: "members",
  team: "riverside",
  members: [
    {
      userId: id(name),
      before: { roleId: role(roleName), status: "active", endsOn: before },
      after: { roleId: role(roleName), status: "active", endsOn: after, ...more },
    },
  ],
});
const inCampaign = (name: string, roleName: string, before: End, after: End) => ({
  kind: "campaigns",
  team: "riverside",
  places: [
    {
      userId: id(name),
      campaign: "clean-water",
      before: { roleId: role(roleName), setIds: [], endsOn: before },
      after: { roleId: role(roleName), setIds: [], endsOn: after },
    },
  ],
});
const endOf = async (name: string, table = "team_users") =>
  (
    await sql(
      `select ends_at, ends_at = '2031-03-04 00:00 America/Los_Angeles' as is_end_of_day from public.${table} where user_id = $1 and team_id = 'riverside'`,
      [id(name)],
    )
  )[0];
const day = "2031-03-03";

describe("an end date", () => {
  test("is the end of a day in the team's time zone, and other changes keep it", async () => {
    expect(await change("admin", membership("clerk", "Field team", null, day))).toEqual({ outcome: "done" });
    expect(await endOf("clerk")).toMatchObject({ is_end_of_day: true });
    expect(await change("admin", membership("clerk", "Field team", null, day))).toEqual({ outcome: "unchanged" });
    const suspend = {
      kind: "members",
      team: "riverside",
      members: [
        {
          userId: id("clerk"),
          before: { roleId: role("Field team"), status: "active" },
          after: { roleId: role("Office"), status: "suspended" },
        },
      ],
    };
    expect(await change("admin", suspend)).toEqual({ outcome: "done" });
    expect(await endOf("clerk")).toMatchObject({ is_end_of_day: true });
  });

  test("of a role in a campaign likewise", async () => {
    expect(await change("admin", inCampaign("clerk", "Signature clerk", null, day))).toEqual({ outcome: "done" });
    expect(await endOf("clerk", "campaign_user_roles_team")).toMatchObject({ is_end_of_day: true });
    const other = {
      kind: "campaigns",
      team: "riverside",
      places: [
        {
          userId: id("clerk"),
          campaign: "clean-water",
          before: { roleId: role("Signature clerk"), setIds: [] },
          after: { roleId: role("Canvasser"), setIds: [set("Chart viewing")] },
        },
      ],
    };
    expect(await change("admin", other)).toEqual({ outcome: "done" });
    expect(await endOf("clerk", "campaign_user_roles_team")).toMatchObject({ is_end_of_day: true });
  });

  test("in the past is refused, as is one that someone else changed", async () => {
    const past = "2020-01-01";
    await nothingChanges(async () => {
      expect(await change("admin", membership("clerk", "Field team", null, past))).toEqual({
        outcome: "ends-before-today",
      });
      expect(await change("admin", inCampaign("clerk", "Signature clerk", null, past))).toEqual({
        outcome: "ends-before-today",
      });
      expect(await change("admin", membership("clerk", "Field team", "2031-01-01", day))).toEqual({ outcome: "stale" });
    });
  });

  test("changes no one's access in its preview", async () => {
    await nothingChanges(async () => {
      expect(await preview("admin", membership("clerk", "Field team", null, day))).toMatchObject({
        outcome: "done",
        effects: [],
      });
    });
  });
});

describe("administrators", () => {
  const endAdmin = () => membership("admin", "Administrator", null, day);

  test("the only permanent one can't be given an end, nor leave a team to one whose access ends", async () => {
    await join("second", "riverside", role("Administrator"));
    expect(await change("second", endAdmin())).toEqual({ outcome: "done" });
    const endSecond = membership("second", "Administrator", null, day);
    expect(await change("admin", endSecond)).toEqual({ outcome: "last-administrator" });
    expect(await change("second", { kind: "leave-team", team: "riverside" })).toEqual({
      outcome: "last-administrator",
    });
  });

  test("one manager can't prolong the access of someone with more permissions", async () => {
    await sql("update public.team_users set ends_at = '2031-01-02' where user_id = any ($1)", [
      [id("clerk"), id("analyst")],
    ]);
    const [{ last = null } = {}] = await sql<{ last: string | null }>(
      "select private.last_day('riverside', '2031-01-02')::text as last",
    );
    for (const end of [day, null]) {
      expect(await change("manager", membership("clerk", "Field team", last, end))).toEqual({
        outcome: "more-than-own",
      });
    }
    expect(await change("manager", membership("clerk", "Field team", last, "2030-12-01"))).toEqual({ outcome: "done" });
    expect(await change("admin", membership("clerk", "Field team", "2030-12-01", null))).toEqual({ outcome: "done" });
  });
});

test("no one prolongs their own role in a campaign, nor adds sets to it, which don't end", async () => {
  await sql(
    `insert into public.campaign_user_roles_team (user_id, team_id, campaign_id, role_id, ends_at)
     select user_id, team_id, 'clean-water', role_id, '2031-01-02 00:00 America/Los_Angeles'
     from public.team_users where user_id = $1`,
    [id("manager")],
  );
  const [{ role_id } = { role_id: "" }] = await sql<{ role_id: string }>(
    "select role_id from public.team_users where user_id = $1",
    [id("manager")],
  );
  const [{ set } = { set: "" }] = await sql<{ set: string }>(
    `select s.id as set from public.permission_sets s where s.team_id is null and not exists (
       select from public.permission_set_keys k where k.permission_set_id = s.id and k.key <> all (
         select unnest(p.keys) from private.places($1) p where p.campaign_id = 'clean-water')) limit 1`,
    [id("manager")],
  );
  const before = { roleId: role_id, setIds: [], endsOn: "2031-01-01" };
  for (const changed of [{ setIds: [set] }, { endsOn: null }]) {
    const place = { userId: id("manager"), campaign: "clean-water", before, after: { ...before, ...changed } };
    const request = { kind: "campaigns", team: "riverside", places: [place] };
    expect(await change("manager", request)).toEqual({ outcome: "more-than-own" });
    expect(await change("admin", request)).toEqual({ outcome: "done" });
    Object.assign(before, changed);
  }
});

describe("access that is due", () => {
  const isDue = (table: string, name: string) =>
    sql(`update public.${table} set ends_at = now() where user_id = $1 and team_id = 'riverside'`, [id(name)]);

  test("ends before the next change of access, which finds it suspended, and reactivating removes the end", async () => {
    await isDue("team_users", "clerk");
    await isDue("campaign_user_roles_team", "canvasser");
    expect(await change("admin", membership("clerk", "Field team", null, day))).toEqual({ outcome: "stale" });
    const status = "select status, ends_at is null as permanent from public.team_users where user_id = $1";
    expect(await sql(status, [id("clerk")])).toEqual([{ status: "suspended", permanent: false }]);
    expect(await endOf("canvasser", "campaign_user_roles_team")).toBeUndefined();
    const reactivate = {
      kind: "members",
      team: "riverside",
      members: [
        {
          userId: id("clerk"),
          before: { roleId: role("Field team"), status: "suspended" },
          after: { roleId: role("Field team"), status: "active" },
        },
      ],
    };
    expect(await change("admin", reactivate)).toEqual({ outcome: "done" });
    expect(await sql(status, [id("clerk")])).toEqual([{ status: "active", permanent: true }]);
  });

  test("of the person who makes a change ends it too", async () => {
    await isDue("team_users", "manager");
    await nothingChanges(async () => {
      expect(await change("manager", membership("clerk", "Field team", null, day))).toEqual({ outcome: "not-allowed" });
    });
  });

  test("is shown as ended", async () => {
    await isDue("team_users", "clerk");
    await isDue("campaign_user_roles_team", "canvasser");
    const [{ set } = { set: "" }] = await sql<{ set: string }>(
      "select min(id::text) as set from public.permission_sets",
    );
    await sql(
      "insert into public.campaign_user_team_sets (user_id, team_id, campaign_id, permission_set_id) values ($1, 'riverside', 'clean-water', $2)",
      [id("canvasser"), set],
    );
    const [{ members } = { members: [] }] = await sql<{ members: Record<string, unknown>[] }>(
      "select public.team_members('riverside') as members",
    );
    const memberOf = (name: string) => members.find(({ userId }) => userId === id(name));
    expect(memberOf("clerk")).toMatchObject({ status: "suspended", ended: true, endsOn: expect.any(String) });
    expect(memberOf("canvasser")).toMatchObject({ status: "active", ended: false, endsOn: null });
    expect(memberOf("canvasser")?.campaigns).toMatchObject([{ id: "clean-water", role: null, sets: [{ id: set }] }]);
  });
});
