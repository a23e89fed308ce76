import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { plainCampaign } from "../../support/no-official-check.ts";
import { administeredTeam } from "./administered-team.ts";

// Riverside runs open-parks, where hillside works too. Hill administers hillside, admin riverside; bo administers both, and
// hill and bo administer valley.

const { sql, id, role, set, join, call, change, preview, nothingChanges } = administeredTeam(async () => {
  await sql("insert into public.teams (id, name) values ('valley', 'Valley')");
  await sql("insert into public.team_p_sets select 'valley', id from public.permission_sets");
  for (const team of ["riverside", "hillside", "valley"]) await join("bo", team, role("Administrator"));
  await join("hill", "valley", role("Administrator"));
  await sql("insert into public.campaign_user_roles_team values ($1, 'riverside', 'open-parks', $2)", [
    id("clerk"),
    role("Signature clerk"),
  ]);
  await sql("delete from public.permission_changes");
});

const campaign = "open-parks";
const newFields = { name: "Open parks", signatureGoal: null, startsOn: null, endsOn: null };
const settings = { ...plainCampaign, ...newFields };
const edit = (team: string, after: object, before: object = {}) => ({
  kind: "edit-campaign",
  team,
  campaign,
  before: { ...settings, ...before },
  after: { ...settings, ...after },
});
const handOver = (team: string, to: string) => ({ kind: "hand-over-campaign", team, campaign, to });
const attach = (team: string) => ({ kind: "attach-campaign", team, campaign });
const stopSharing = (team: string, from: string) => ({ kind: "stop-sharing", team, campaign, from });
const detach = (team: string) => ({ kind: "detach-campaign", team, campaign });
const parks = async (columns: string) =>
  (await sql(`select ${columns} from public.campaigns where id = $1`, [campaign]))[0];
const teamsOf = async () => {
  const rows = await sql("select team_id from public.campaign_team where campaign_id = $1 order by 1", [campaign]);
  return rows.map(({ team_id }) => team_id);
};

// Permissions count only in the team that a change names, also for people who manage two teams.
test.each<[what: string, as: string, request: object, outcome: string]>([
  ["rename a campaign of another team", "hill", edit("hillside", { name: "Hill parks" }), "not-allowed"],
  ["archive it", "hill", edit("hillside", { archived: true }), "not-allowed"],
  ["bring it into a third team", "hill", attach("valley"), "not-allowed"],
  ["take it over", "hill", handOver("hillside", "hillside"), "not-allowed"],
  ["take it over in its team's name", "hill", handOver("riverside", "hillside"), "not-allowed"],
  ["rename it for a team that does not run it", "bo", edit("hillside", { name: "Parks" }), "not-allowed"],
  ["hand it to a team that does not work on it", "bo", handOver("riverside", "valley"), "not-attached"],
  ["hand it over without members.manage", "clerk", handOver("riverside", "hillside"), "not-allowed"],
  ["leave it as the team that runs it", "admin", detach("riverside"), "runs-it"],
  ["leave it for another team", "admin", { ...detach("riverside"), from: "hillside" }, "runs-it"],
  ["remove another team from it", "admin", detach("hillside"), "not-allowed"],
  ["stop sharing it for a team that doesn't run it", "hill", stopSharing("hillside", "riverside"), "not-allowed"],
  ["stop sharing it in the name of the team that runs it", "hill", stopSharing("riverside", "hillside"), "not-allowed"],
  ["stop sharing it with the team that runs it", "admin", stopSharing("riverside", "riverside"), "runs-it"],
  ["stop sharing it with a team that doesn't work on it", "admin", stopSharing("riverside", "valley"), "not-attached"],
  ["stop sharing it without members.manage", "clerk", stopSharing("riverside", "hillside"), "not-allowed"],
  ["leave it without members.manage", "clerk", detach("riverside"), "not-allowed"],
  ["leave a campaign that the team doesn't work on", "hill", detach("valley"), "gone"],
])("no one can %s", (_what, as, request, outcome) =>
  nothingChanges(async () => {
    for (const send of [change, preview]) expect(await send(as, request)).toEqual({ outcome });
  }),
);

test("managers of the team that runs a campaign edit, archive and share it, also those of several teams", async () => {
  expect(await change("admin", edit("riverside", { name: "Parks", archived: true }))).toEqual({ outcome: "done" });
  expect(await parks("name, archived_at is null as runs")).toEqual({ name: "Parks", runs: false });
  expect(await change("bo", attach("valley"))).toEqual({ outcome: "done" });
  expect(await teamsOf()).toEqual(["hillside", "riverside", "valley"]);
  const again = edit("riverside", { name: "Open parks" }, { name: "Parks", archived: true });
  expect(await change("bo", again)).toEqual({ outcome: "done" });
});

test("managers of the team that runs a campaign stop sharing it: the other team's access ends, its lines stay", async () => {
  await join("clerk", "hillside", role("Member"));
  await sql("insert into public.campaign_user_roles_team values ($1, 'hillside', $3, $2)", [
    id("clerk"),
    role("Canvasser"),
    campaign,
  ]);
  await sql(
    "insert into public.lines (team_id, campaign_id, verdict, entered_by) values ('hillside', $2, 'illegible', $1)",
    [id("clerk"), campaign],
  );
  const { effects } = z
    .object({ effects: z.array(z.object({ name: z.string() })) })
    .parse(await preview("admin", stopSharing("riverside", "hillside")));
  expect(effects.map(({ name }) => name)).toEqual(["bo", "clerk", "hill"]);
  expect(await change("admin", stopSharing("riverside", "hillside"))).toEqual({ outcome: "done" });
  expect(await teamsOf()).toEqual(["riverside"]);
  for (const table of ["campaign_user_roles_team", "lines"]) {
    const rows = await sql(`select team_id from public.${table} where campaign_id = $1`, [campaign]);
    expect(rows.map(({ team_id }) => team_id)).toEqual([table === "lines" ? "hillside" : "riverside"]);
  }
  const pending = await sql("select user_id from public.permission_changes");
  expect(pending.map(({ user_id }) => user_id)).toEqual(expect.arrayContaining([id("hill"), id("clerk")]));
});

test("managers of the team that runs a campaign hand it to a team that works on it, and can't take it back", async () => {
  expect(await preview("admin", handOver("riverside", "hillside"))).toEqual({
    outcome: "done",
    effects: [],
    invitations: [],
  });
  expect(await change("admin", handOver("riverside", "hillside"))).toEqual({ outcome: "done" });
  expect(await parks("team_id")).toEqual({ team_id: "hillside" });
  const [logged] = await sql(
    "select actor_id, before ->> 'team_id' as before, after ->> 'team_id' as after from public.audit_log order by id desc",
  );
  expect(logged).toEqual({ actor_id: id("admin"), before: "riverside", after: "hillside" });
  await nothingChanges(async () => {
    for (const shared of [edit("riverside", { name: "Parks" }), handOver("riverside", "riverside")]) {
      expect(await change("admin", shared)).toEqual({ outcome: "not-allowed" });
    }
  });
  expect(await change("hill", handOver("hillside", "riverside"))).toEqual({ outcome: "done" });
});

describe("the voter search of a campaign", () => {
  const addProfile = (team: string, profile: string) =>
    sql("insert into public.team_search_profiles values ($1, $2)", [team, profile]);
  const search = (profile: string) =>
    sql("update public.campaigns set search_profile = $1 where id = 'open-parks'", [profile]);
  const [ny, wa] = [{ searchProfile: "NY" }, { searchProfile: "WA" }];

  test("is a profile of the team that runs it, or the common one", async () => {
    await addProfile("riverside", "NY");
    expect(await change("admin", edit("riverside", ny))).toEqual({ outcome: "done" });
    expect(await parks("search_profile")).toEqual({ search_profile: "NY" });
    expect(await change("admin", edit("riverside", {}, ny))).toEqual({ outcome: "done" });
    expect(await parks("search_profile")).toEqual({ search_profile: null });
  });

  test("can't be a profile of another team or of none", async () => {
    await addProfile("hillside", "NY");
    await nothingChanges(async () => {
      for (const profile of [ny, wa]) {
        expect(await change("bo", edit("riverside", profile))).toEqual({ outcome: "search-not-granted" });
      }
    });
  });

  test("can be handed over only to a team with the profile", async () => {
    await search("NY");
    await nothingChanges(async () => {
      expect(await change("admin", handOver("riverside", "hillside"))).toEqual({ outcome: "search-not-granted" });
    });
    await addProfile("hillside", "NY");
    expect(await change("admin", handOver("riverside", "hillside"))).toEqual({ outcome: "done" });
  });

  test("stays when the operator set another one and the rest is edited", async () => {
    await search("WA");
    expect(await change("admin", edit("riverside", { ...wa, name: "Parks" }, wa))).toEqual({ outcome: "done" });
    expect(await parks("search_profile, name")).toEqual({ search_profile: "WA", name: "Parks" });
  });
});

test("a new campaign is run by the team that creates it, with that team's lines per sheet", async () => {
  await sql("update public.teams set lines_per_sheet = 12 where id = 'hillside'");
  const created = { kind: "create-campaign", campaign: "new-parks", after: { ...newFields, name: "New parks" } };
  expect(await change("hill", { ...created, team: "hillside" })).toEqual({ outcome: "done" });
  expect(
    await sql(
      "select c.team_id, t.team_id as of, c.lines_per_sheet from public.campaigns c join public.campaign_team t on t.campaign_id = c.id where c.id = 'new-parks'",
    ),
  ).toEqual([{ team_id: "hillside", of: "hillside", lines_per_sheet: 12 }]);
});

test("no two campaigns of a team have the same name, whatever its case and spaces, and archived ones keep theirs", async () => {
  const create = (name: string) =>
    change("admin", {
      kind: "create-campaign",
      team: "riverside",
      campaign: "new-parks",
      after: { ...newFields, name },
    });
  expect(await create("OPEN  parks ")).toEqual({ outcome: "name-taken" });
  expect(await change("admin", edit("riverside", { name: "Clean Water" }))).toEqual({ outcome: "name-taken" });
  expect(await change("admin", edit("riverside", { name: "Open Parks" }))).toEqual({ outcome: "done" });
  await sql("update public.campaigns set archived_at = now() where id = 'open-parks'");
  expect(await create("Open parks")).toEqual({ outcome: "archived-name-taken" });
  expect(await create("Open parks 2")).toEqual({ outcome: "done" });
});

describe("a team leaves a campaign that another runs", () => {
  const isOpen = async (name: string) => {
    const [row] = await sql(
      "select public.permissions_snapshot($1, 'hillside', 'open-parks') -> 'campaignAccess' as open",
      [id(name)],
    );
    return row?.open;
  };

  test("with members.manage: logged and pending, and the team can't return alone", async () => {
    expect(await change("hill", detach("hillside"))).toEqual({ outcome: "done" });
    expect(await teamsOf()).toEqual(["riverside"]);
    expect(
      await sql("select action, table_name, team_id, actor_id from public.audit_log order by id desc limit 2"),
    ).toEqual(
      ["riverside", "hillside"].map((team_id) => ({
        action: "delete",
        table_name: "campaign_team",
        team_id,
        actor_id: id("hill"),
      })),
    );
    const pending = await sql("select user_id from public.permission_changes");
    expect(pending.map(({ user_id }) => user_id)).toContain(id("hill"));
    expect(await isOpen("hill")).toBe(false);
    await nothingChanges(async () => {
      expect(await change("hill", attach("hillside"))).toEqual({ outcome: "not-allowed" });
    });
    expect(await change("bo", attach("hillside"))).toEqual({ outcome: "done" });
  });

  test("its people lose the campaign, but lines, charts and their access through other teams stay", async () => {
    await join("clerk", "hillside", role("Member"));
    const placed = [id("clerk"), role("Canvasser"), set("Chart viewing")];
    await sql(
      `with place as (values ('hillside', 'open-parks')),
         roles as (insert into public.campaign_user_roles_team select $1::uuid, p.*, $2::uuid from place p),
         sets as (insert into public.campaign_user_team_sets select $1::uuid, p.*, $3::uuid from place p),
         lines as (insert into public.lines (team_id, campaign_id, verdict, entered_by) select p.*, 'illegible', $1 from place p)
       insert into public.charts (team_id, campaign_id, name, kind, source) select p.*, 'Pace', 'number', 'lines' from place p`,
      placed,
    );
    const { effects } = z
      .object({ effects: z.array(z.object({ name: z.string(), places: z.array(z.unknown()) })) })
      .parse(await preview("hill", detach("hillside")));
    expect(effects.map(({ name }) => name)).toEqual(["bo", "clerk", "hill"]);
    const losses = ["campaign.view", "charts.view", "voters.search"];
    expect(effects[1]?.places).toEqual([
      { campaign: { id: "open-parks", name: "Open parks" }, access: "closes", gains: [], losses },
    ]);
    expect(await change("hill", detach("hillside"))).toEqual({ outcome: "done" });
    expect(await isOpen("clerk")).toBe(false);
    const left = [];
    for (const table of ["campaign_team", "campaign_user_roles_team", "campaign_user_team_sets", "lines", "charts"]) {
      const rows = await sql(`select team_id from public.${table} where campaign_id = 'open-parks'`);
      left.push([table, ...rows.map(({ team_id }) => team_id)]);
    }
    expect(left).toEqual([
      ["campaign_team", "riverside"],
      ["campaign_user_roles_team", "riverside"],
      ["campaign_user_team_sets"],
      ["lines", "hillside"],
      ["charts", "hillside"],
    ]);
  });
});

describe("a team", () => {
  const exist = async () => [
    (await sql("select id from public.teams order by id")).map(({ id }) => id),
    (await sql("select id from public.campaigns order by id")).map(({ id }) => id),
    (await sql("select team_id from public.lines order by 1")).map(({ team_id }) => team_id),
  ];
  beforeEach(async () => {
    for (const place of ["'riverside', 'open-parks'", "'hillside', 'open-parks'", "'hillside', 'hill-only'"]) {
      await sql(`insert into public.sheets (team_id, campaign_id, number) values (${place}, 7)`);
      await sql(
        `insert into public.lines (team_id, campaign_id, sheet, line, verdict, voter_id)
        values (${place}, 7, 1, 'accepted', 'V' || md5($1))`,
        [place],
      );
    }
  });

  test("can't be deleted while it runs a campaign", async () => {
    await expect(sql("delete from public.teams where id = 'riverside'")).rejects.toThrow(/foreign key/);
  });

  test("is deleted with its campaigns and lines as docs/operate.md says: logged, pending, and its ID stays taken", async () => {
    const [, steps = ""] =
      /^## Deleting a team$.*?^```sql\n(.*?)^```$/ms.exec(readFileSync("docs/operate.md", "utf8")) ?? [];
    expect(await exist()).toMatchObject([{ length: 3 }, { length: 4 }, { length: 3 }]);
    const [logged] = await sql("select count(*)::int as count from public.audit_log where team_id = 'riverside'");
    await sql(steps.replace("my-team", "riverside"));
    expect(await exist()).toEqual([["hillside", "valley"], ["hill-only"], ["hillside"]]);
    const log = await sql(
      "select table_name, action, actor_id from public.audit_log where team_id = 'riverside' order by id",
    );
    expect(log.length).toBeGreaterThan(Number(logged?.count));
    expect(log).toContainEqual({ table_name: "teams", action: "delete", actor_id: null });
    const pending = await sql("select from public.permission_changes where user_id = $1", [id("clerk")]);
    expect(pending).not.toEqual([]);
    const team = { p_id: "riverside", p_name: "Riverside", p_time_zone: "UTC", p_locale: "en-US" };
    expect(await call("create_team", "hill", team)).toEqual({ outcome: "team-taken" });
    await expect(sql(steps)).rejects.toThrow("No team has this ID.");
  });
});

test("places include the locale of a team, and its members have pending changes when it changes", async () => {
  await sql("update public.teams set locale = 'es-419' where id = 'valley'");
  const [row] = await sql("select public.permission_places($1)->'teams' as teams", [id("hill")]);
  expect(row?.teams).toMatchObject([
    { id: "hillside", locale: "en-US" },
    { id: "valley", locale: "es-419" },
  ]);
  const pending = await sql("select distinct user_id from public.permission_changes");
  expect(pending.map(({ user_id }) => user_id).toSorted()).toEqual([id("bo"), id("hill")].toSorted());
});

test.each(["en-US", "es-419", "zh-Hant-TW", "fil"])("a team's locale can be %s", async (locale) => {
  await sql("update public.teams set locale = $1 where id = 'valley'", [locale]);
  expect(new Intl.NumberFormat(locale).format(1)).toBe("1");
});

test.each(["en_US", "EN-us", "english", ""])("a team's locale cannot be %j", async (locale) => {
  const written = sql("update public.teams set locale = $1 where id = 'valley'", [locale]);
  await expect(written).rejects.toThrow(/teams_locale_check/);
});

test("the default locale is en-US, the default lines per sheet are 20, and 0 is refused", async () => {
  expect(await sql("select distinct locale from public.teams")).toEqual([{ locale: "en-US" }]);
  expect(await sql("select distinct lines_per_sheet from public.campaigns")).toEqual([{ lines_per_sheet: 20 }]);
  await expect(sql("update public.campaigns set lines_per_sheet = 0")).rejects.toThrow(/lines_per_sheet/);
});
