import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { listSearchProfiles } from "@/lib/campaigns/list-search-profiles";
import { openTestDatabase, type TestDatabase } from "../../support/test-database.ts";
import { type AdministeredTeam, administeredRows, makeAdministeredTeam } from "./administered-team.ts";

// Riverside runs open-parks, where hillside works too. Hill administers hillside, admin riverside; bo administers both, and
// hill and bo administer valley.

vi.mock("@/lib/supabase/admin", () => ({ createAdminClient: () => database.client("service") }));

let database: TestDatabase;
let team: AdministeredTeam;
let people: Record<"admin" | "hill" | "bo" | "clerk", { id: string; token: string }>;
beforeAll(async () => {
  database = await openTestDatabase();
  team = await makeAdministeredTeam(database);
  const bo = await database.signUp("bo");
  people = { admin: team.person("admin"), hill: team.person("hill"), clerk: team.person("clerk"), bo };
  await database.sql("insert into public.teams (id, name) values ('valley', 'Valley')");
  await database.sql("insert into public.team_p_sets select 'valley', id from public.permission_sets");
  for (const [who, of] of [
    [people.bo, "riverside"],
    [people.bo, "hillside"],
    [people.bo, "valley"],
    [people.hill, "valley"],
  ] as const) {
    await database.sql(
      "insert into public.team_users (user_id, team_id, role_id, status) values ($1, $2, $3, 'active')",
      [who.id, of, team.roles.Administrator],
    );
  }
  await database.sql("insert into public.campaign_user_roles_team values ($1, 'riverside', 'open-parks', $2)", [
    people.clerk.id,
    team.roles["Signature clerk"],
  ]);
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.sql("delete from public.campaign_team where team_id = 'valley'");
  await database.sql("insert into public.campaign_team values ('hillside', 'open-parks') on conflict do nothing");
  await database.sql(
    "update public.campaigns set name = 'Open parks', team_id = 'riverside', archived_at = null where id = 'open-parks'",
  );
  await database.sql("delete from public.permission_changes");
});

type Name = keyof typeof people;
const newTexts = { name: "Open parks", signatureGoal: null, startsOn: null, endsOn: null };
const texts = { ...newTexts, linesPerSheet: 20, searchProfile: null, archived: false };
const edit = (of: string, after: object) => ({
  ...{ kind: "edit-campaign", team: of, campaign: "open-parks", before: texts },
  after: { ...texts, ...after },
});
const handOver = (of: string, to: string) => ({ kind: "hand-over-campaign", team: of, campaign: "open-parks", to });
const attach = { kind: "attach-campaign", team: "valley", campaign: "open-parks" };
const change = async (who: Name, p_change: object, verb = "change_access") =>
  (await database.rest(`rpc/${verb}`, { as: people[who], body: { p_change } })).body;
const rest = (who: Name, method: string, path: string, body?: object) =>
  database.rest(path, { as: people[who], method, ...(body && { body }) });
const place = { team_id: "hillside", campaign_id: "open-parks" };
const ofPlace = ({ team_id, campaign_id }: typeof place) =>
  `campaign_team?team_id=eq.${team_id}&campaign_id=eq.${campaign_id}`;
async function nothingChanges(run: () => Promise<void>) {
  const before = await administeredRows(database);
  await run();
  expect(await administeredRows(database)).toEqual(before);
}

describe("people of another team that works on a campaign", () => {
  test.each([
    ["rename it", edit("hillside", { name: "Hill parks" })],
    ["archive it", edit("hillside", { archived: true })],
    ["bring it into a third team", attach],
  ])("cannot %s", async (_, wanted) =>
    nothingChanges(async () => {
      for (const verb of ["change_access", "preview_access_change"]) {
        expect(await change("hill", wanted, verb)).toEqual({ outcome: "not-allowed" });
      }
    }),
  );

  test("cannot over REST", async () =>
    nothingChanges(async () => {
      await rest("hill", "PATCH", "campaigns?id=eq.open-parks", { name: "Hill parks" });
      await rest("hill", "PATCH", "campaigns?id=eq.open-parks", { archived_at: "2026-11-21T10:00:00Z" });
      expect((await rest("hill", "POST", "campaign_team", { ...place, team_id: "valley" })).status).toBe(403);
    }));

  test("cannot make themselves those who run it", async () =>
    nothingChanges(async () => {
      await rest("hill", "PATCH", "campaigns?id=eq.open-parks", { team_id: "hillside" });
      for (const from of ["riverside", "hillside"]) {
        expect(await change("hill", handOver(from, "hillside"))).toEqual({ outcome: "not-allowed" });
      }
    }));
});

describe("handing over", () => {
  const runner = () => database.sql("select team_id from public.campaigns where id = 'open-parks'");
  const toHillside = [{ team_id: "hillside" }];

  test("people of the team that runs it hand it to one that works on it, and can take it back no more", async () => {
    const preview = await change("admin", handOver("riverside", "hillside"), "preview_access_change");
    expect(preview).toEqual({ outcome: "done", effects: [] });
    expect(await change("admin", handOver("riverside", "hillside"))).toEqual({ outcome: "done" });
    expect(await runner()).toEqual(toHillside);
    const [logged] = await database.sql(
      "select actor_id, before ->> 'team_id' as before, after ->> 'team_id' as after from public.audit_log order by id desc",
    );
    expect(logged).toEqual({ actor_id: people.admin.id, before: "riverside", after: "hillside" });
    await nothingChanges(async () => {
      for (const wanted of [edit("riverside", { name: "Parks" }), handOver("riverside", "riverside")]) {
        expect(await change("admin", wanted)).toEqual({ outcome: "not-allowed" });
      }
      await rest("admin", "PATCH", "campaigns?id=eq.open-parks", { team_id: "riverside" });
    });
    expect(await change("hill", handOver("hillside", "riverside"))).toEqual({ outcome: "done" });
  });

  test("over REST likewise", async () => {
    const { status } = await rest("admin", "PATCH", "campaigns?id=eq.open-parks", { team_id: "hillside" });
    expect([status, await runner()]).toEqual([204, toHillside]);
  });

  test("nobody hands it to a team that does not work on it", async () =>
    nothingChanges(async () => {
      expect(await change("bo", handOver("riverside", "valley"))).toEqual({ outcome: "not-attached" });
      const { status } = await rest("bo", "PATCH", "campaigns?id=eq.open-parks", { team_id: "valley" });
      expect(status).toBeGreaterThanOrEqual(400);
    }));

  test("nobody does without members.manage in the team that runs it", async () =>
    nothingChanges(async () => {
      expect(await change("clerk", handOver("riverside", "hillside"))).toEqual({ outcome: "not-allowed" });
      await rest("clerk", "PATCH", "campaigns?id=eq.open-parks", { team_id: "hillside" });
    }));
});

test("people of the team that runs it do all three", async () => {
  expect(await change("admin", edit("riverside", { name: "Parks", archived: true }))).toEqual({ outcome: "done" });
  expect(
    await database.sql("select name, archived_at is null as runs from public.campaigns where id = 'open-parks'"),
  ).toEqual([{ name: "Parks", runs: false }]);
  expect(await change("bo", attach)).toEqual({ outcome: "done" });
  expect(await database.sql("select from public.campaign_team where team_id = 'valley'")).toHaveLength(1);
});

test("one who manages both teams edits it in the name of that which runs it alone", async () => {
  await nothingChanges(async () => {
    expect(await change("bo", edit("hillside", { name: "Parks" }))).toEqual({ outcome: "not-allowed" });
  });
  expect(await change("bo", edit("riverside", { name: "Parks" }))).toEqual({ outcome: "done" });
});

describe("the voter search of a campaign", () => {
  const searches = async () => {
    const [row] = await database.sql("select search_profile from public.campaigns where id = 'open-parks'");
    return row?.search_profile;
  };
  const profiled = (searchProfile: string | null) => ({ ...texts, searchProfile });
  beforeEach(async () => {
    await database.sql("delete from public.team_search_profiles");
    await database.sql("insert into public.team_search_profiles values ('riverside', 'NY'), ('hillside', 'OH')");
    await database.sql("update public.campaigns set search_profile = null where id = 'open-parks'");
  });
  afterAll(() => database.sql("update public.campaigns set search_profile = null where id = 'open-parks'"));

  test("is one that the team that runs it was given, or the common one", async () => {
    expect(await change("admin", edit("riverside", { searchProfile: "NY" }))).toEqual({ outcome: "done" });
    expect(await searches()).toBe("NY");
    const back = { ...edit("riverside", {}), before: profiled("NY") };
    expect(await change("admin", back)).toEqual({ outcome: "done" });
    expect(await searches()).toBe(null);
  });

  test("is none that another team was given, over REST neither", async () =>
    nothingChanges(async () => {
      for (const searchProfile of ["OH", "WA"]) {
        const refused = { outcome: "search-not-given" };
        expect(await change("bo", edit("riverside", { searchProfile }))).toEqual(refused);
        const { status } = await rest("bo", "PATCH", "campaigns?id=eq.open-parks", { search_profile: searchProfile });
        expect(status).toBeGreaterThanOrEqual(400);
      }
      expect((await rest("bo", "POST", "team_search_profiles", { team_id: "riverside", profile: "OH" })).status).toBe(
        403,
      );
    }));

  test("is handed over only to a team that was given it", async () => {
    await database.sql("update public.campaigns set search_profile = 'NY' where id = 'open-parks'");
    await nothingChanges(async () => {
      expect(await change("admin", handOver("riverside", "hillside"))).toEqual({ outcome: "search-not-given" });
      const both = { team_id: "hillside", search_profile: "WA" };
      expect((await rest("admin", "PATCH", "campaigns?id=eq.open-parks", both)).status).toBeGreaterThanOrEqual(400);
    });
    await database.sql("insert into public.team_search_profiles values ('hillside', 'NY')");
    expect(await change("admin", handOver("riverside", "hillside"))).toEqual({ outcome: "done" });
  });

  test("stays where the operator set another one, while the rest is edited", async () => {
    await database.sql("update public.campaigns set search_profile = 'WA' where id = 'open-parks'");
    const kept = { ...edit("riverside", { name: "Parks", searchProfile: "WA" }), before: profiled("WA") };
    expect(await change("admin", kept)).toEqual({ outcome: "done" });
    expect(await searches()).toBe("WA");
  });

  test("is chosen among those of the team that are configured", async () => {
    vi.stubEnv("SEARCHSVC_URL_NY", "https://search.example");
    vi.stubEnv("SEARCHSVC_URL_OH", "https://search.example");
    await database.sql("insert into public.team_search_profiles values ('riverside', 'TX')");
    expect(await listSearchProfiles("riverside")).toEqual(["NY"]);
    expect(await listSearchProfiles("valley")).toEqual([]);
    vi.unstubAllEnvs();
  });
});

describe("a new campaign", () => {
  const created = { kind: "create-campaign", campaign: "new-parks", after: { ...newTexts, name: "New parks" } };
  const gone = () => database.sql("delete from public.campaigns where id = 'new-parks'");

  test("is run by the team that creates it, and has its lines on a sheet", async () => {
    await database.sql("update public.teams set lines_per_sheet = 12 where id = 'hillside'");
    expect(await change("hill", { ...created, team: "hillside" })).toEqual({ outcome: "done" });
    await database.sql("update public.teams set lines_per_sheet = 20 where id = 'hillside'");
    expect(
      await database.sql(
        "select c.team_id, t.team_id as of, c.lines_per_sheet from public.campaigns c join public.campaign_team t on t.campaign_id = c.id where c.id = 'new-parks'",
      ),
    ).toEqual([{ team_id: "hillside", of: "hillside", lines_per_sheet: 12 }]);
    await gone();
  });

  test("is run by a team that its maker manages, over REST too, and comes into that one first", async () => {
    await nothingChanges(async () => {
      const row = { id: "new-parks", name: "New parks" };
      for (const given of [{ ...row, team_id: "riverside" }, row]) {
        expect((await rest("hill", "POST", "campaigns", given)).status).toBeGreaterThanOrEqual(400);
      }
    });
    const row = { id: "new-parks", name: "New parks", team_id: "hillside" };
    expect((await rest("hill", "POST", "campaigns", row)).status).toBe(201);
    const comes = (team_id: string) => rest("hill", "POST", "campaign_team", { team_id, campaign_id: "new-parks" });
    expect((await comes("valley")).status).toBe(403);
    expect((await comes("hillside")).status).toBe(201);
    await gone();
  });
});

describe("leaving", () => {
  test("a team leaves a campaign that another runs, with members.manage: logged, noted, and not undone by itself", async () => {
    expect((await rest("hill", "DELETE", ofPlace(place))).status).toBe(204);
    expect(await database.sql("select team_id from public.campaign_team where campaign_id = 'open-parks'")).toEqual([
      { team_id: "riverside" },
    ]);
    const logged = await database.sql(
      "select action, table_name, team_id, actor_id from public.audit_log order by id desc limit 1",
    );
    expect(logged).toEqual([
      { action: "delete", table_name: "campaign_team", team_id: "hillside", actor_id: people.hill.id },
    ]);
    const notes = await database.sql<{ user_id: string }>("select user_id from public.permission_changes");
    expect(notes.map(({ user_id }) => user_id)).toContain(people.hill.id);
    const [row] = await database.sql<{ snapshot: { campaignAccess: boolean } }>(
      "select public.permissions_snapshot($1, 'hillside', 'open-parks') as snapshot",
      [people.hill.id],
    );
    expect(row?.snapshot.campaignAccess).toBe(false);
    await nothingChanges(async () => {
      expect((await rest("hill", "POST", "campaign_team", place)).status).toBe(403);
    });
    expect(await change("bo", { ...attach, team: "hillside" })).toEqual({ outcome: "done" });
  });

  const detach = (of: string) => ({ kind: "detach-campaign", team: of, campaign: "open-parks" });
  const ways: Record<string, () => Promise<unknown>> = {
    "by the change": () => change("hill", detach("hillside")),
    "over REST": () => rest("hill", "DELETE", ofPlace(place)),
  };
  test.each(Object.entries(ways))(
    "%s, its people lose the campaign too; lines and charts stay unreached",
    async (_, leave) => {
      const { Canvasser, Member } = team.roles;
      await database.sql(
        "insert into public.team_users (user_id, team_id, role_id, status) values ($1, 'hillside', $2, 'active')",
        [people.clerk.id, Member],
      );
      await database.sql("insert into public.campaign_user_roles_team values ($1, 'hillside', 'open-parks', $2)", [
        people.clerk.id,
        Canvasser,
      ]);
      await database.sql("insert into public.campaign_user_team_sets values ($1, 'hillside', 'open-parks', $2)", [
        people.clerk.id,
        team.sets["Chart reading"],
      ]);
      await database.sql(
        "insert into public.lines (team_id, campaign_id, verdict, entered_by) values ('hillside', 'open-parks', 'illegible', $1)",
        [people.clerk.id],
      );
      await database.sql(
        "insert into public.charts (team_id, campaign_id, name, kind, source) values ('hillside', 'open-parks', 'Pace', 'number', 'lines')",
      );
      const kept = () =>
        database.sql(
          "select (select count(*)::int from public.lines) as lines, (select count(*)::int from public.charts) as charts",
        );
      const before = await kept();
      const seen = async () => {
        const ofHill = { as: "service", body: { p_actor_id: people.hill.id } } as const;
        const [charts, lines] = await Promise.all([
          database.rest("rpc/chart_names", ofHill),
          rest("hill", "GET", "lines"),
        ]);
        return [charts?.body, lines?.body].map((rows) => (Array.isArray(rows) ? rows.length : rows));
      };
      expect(await seen()).toEqual([1, 1]);

      const preview = z
        .object({ effects: z.array(z.object({ name: z.string(), places: z.array(z.unknown()) })) })
        .parse(await change("hill", detach("hillside"), "preview_access_change"));
      expect(preview.effects.map(({ name }) => name)).toEqual(["bo", "clerk", "hill"]);
      expect(preview.effects[1]?.places).toEqual([
        {
          campaign: { id: "open-parks", name: "Open parks" },
          access: "closes",
          gains: [],
          losses: ["campaign.view", "charts.view", "voters.search"],
        },
      ]);
      await leave();
      expect(
        await database.sql(
          "select permissions_snapshot -> 'campaignAccess' as open from public.permissions_snapshot($1, 'hillside', 'open-parks')",
          [people.clerk.id],
        ),
      ).toEqual([{ open: false }]);
      for (const table of ["campaign_team", "campaign_user_roles_team", "campaign_user_team_sets"]) {
        const rows = await database.sql(`select from public.${table} where team_id = $1 and campaign_id = $2`, [
          place.team_id,
          place.campaign_id,
        ]);
        expect([table, rows.length]).toEqual([table, 0]);
      }
      expect(await kept()).toEqual(before);
      expect(await seen()).toEqual([0, 0]);
      // What she has in the same campaign of another team is hers.
      expect(
        await database.sql("select team_id from public.campaign_user_roles_team where campaign_id = 'open-parks'"),
      ).toEqual([{ team_id: "riverside" }]);
      await database.sql("delete from public.charts");
      await database.sql("delete from public.lines");
      await database.sql("delete from public.team_users where user_id = $1 and team_id = 'hillside'", [
        people.clerk.id,
      ]);
    },
  );

  test("the team that runs it is told to hand it over first, and others are refused", async () =>
    nothingChanges(async () => {
      for (const verb of ["change_access", "preview_access_change"]) {
        expect(await change("admin", detach("riverside"), verb)).toEqual({ outcome: "runs-it" });
        expect(await change("admin", detach("hillside"), verb)).toEqual({ outcome: "not-allowed" });
        expect(await change("clerk", detach("riverside"), verb)).toEqual({ outcome: "not-allowed" });
        expect(await change("hill", detach("valley"), verb)).toEqual({ outcome: "gone" });
      }
    }));

  // As a statement that passed its policy before the campaign was handed to its team.
  test("past the policy too, the team that runs it stays while the campaign is there", async () => {
    const asBo = async (statement: string) => {
      await database.sql("select set_config('request.jwt.claim.sub', $1, false)", [people.bo.id]);
      await database
        .sql(statement)
        .finally(() => database.sql("select set_config('request.jwt.claim.sub', '', false)"));
    };
    await nothingChanges(async () => {
      const takeOut = asBo(
        "delete from public.campaign_team where campaign_id = 'open-parks' and team_id = 'riverside'",
      );
      await expect(takeOut).rejects.toThrow("The team that runs a campaign hands it over first.");
    });
    await database.sql("insert into public.campaigns (id, name, team_id) values ('short', 'Short', 'valley')");
    await database.sql("insert into public.campaign_team values ('valley', 'short')");
    await asBo("delete from public.campaigns where id = 'short'");
    expect(await database.sql("select from public.campaign_team where campaign_id = 'short'")).toEqual([]);
  });

  test.each<[who: Name, what: string, of: typeof place]>([
    ["admin", "the team that runs it", { ...place, team_id: "riverside" }],
    ["bo", "the team that runs it", { ...place, team_id: "riverside" }],
    ["admin", "another team", place],
    ["hill", "another team", { ...place, team_id: "riverside" }],
    ["clerk", "a team whose members she does not manage", { ...place, team_id: "riverside" }],
  ])("%s does not take out %s", async (who, _, of) =>
    nothingChanges(async () => {
      await rest(who, "DELETE", ofPlace(of));
      await rest(who, "DELETE", ofPlace({ ...of, campaign_id: "hill-only" }));
    }),
  );
});

test("a team is not deleted while it runs a campaign", async () => {
  await expect(database.sql("delete from public.teams where id = 'riverside'")).rejects.toThrow(/foreign key/);
});

test("a team's places tell its locale, and its members are noted when it changes", async () => {
  await database.sql("update public.teams set locale = 'es-419' where id = 'valley'");
  const [row] = await database.sql("select public.permission_places($1)->'teams' as teams", [people.hill.id]);
  expect(row?.teams).toMatchObject([
    { id: "hillside", locale: "en-US" },
    { id: "valley", locale: "es-419" },
  ]);
  const noted = await database.sql("select distinct user_id from public.permission_changes");
  expect(noted.map(({ user_id }) => user_id).toSorted()).toEqual([people.bo.id, people.hill.id].toSorted());
});

test.each([
  ["en-US", true],
  ["es-419", true],
  ["zh-Hant-TW", true],
  ["fil", true],
  ["en_US", false],
  ["EN-us", false],
  ["english", false],
  ["", false],
])("a team's locale can be %s: %s", async (locale, allowed) => {
  const write = () => database.sql("update public.teams set locale = $1 where id = 'valley'", [locale]);
  if (!allowed) return await expect(write()).rejects.toThrow(/teams_locale_check/);
  await write();
  expect(new Intl.NumberFormat(locale).format(1)).toBe("1");
});

test("a new team's locale is en-US, and a new campaign has 20 lines on a sheet", async () => {
  expect(await database.sql("select distinct locale from public.teams where id <> 'valley'")).toEqual([
    { locale: "en-US" },
  ]);
  expect(await database.sql("select distinct lines_per_sheet from public.campaigns")).toEqual([
    { lines_per_sheet: 20 },
  ]);
  await expect(database.sql("update public.campaigns set lines_per_sheet = 0")).rejects.toThrow(/lines_per_sheet/);
});
