import { describe, expect, test } from "vitest";
import { timeZoneChoices } from "@/lib/format/regions";
import { plainCampaign } from "../../support/no-official-check.ts";
import { administeredTeam, demoNames } from "./administered-team.ts";

// Each kind of change by each person, without screens and guards; the settings of a team; and leaving it.

const { sql, id, role, set, sets, make, join, change, preview, nothingChanges } = administeredTeam(prepare);
let helpers: string;
let helping: string;
let unused: string;
async function prepare() {
  helpers = await make("roles", "riverside", "Helpers");
  helping = await make("permission_sets", "riverside", "Helping");
  unused = await make("permission_sets", "riverside", "Unused");
  await sql("insert into public.role_p_sets values ($1, $2)", [helpers, helping]);
  // One person manages members, and one roles.
  for (const key of ["members", "roles"]) {
    const [managers, managing] = [
      await make("roles", "riverside", key),
      await make("permission_sets", "riverside", key),
    ];
    await sql("insert into public.permission_set_keys select $1, unnest(array[$2, 'members.view'])", [
      managing,
      `${key}.manage`,
    ]);
    await sql("insert into public.role_p_sets values ($1, $2)", [managers, managing]);
    await join(`${key}.manage`, "riverside", managers);
  }
  // A campaign of another team with the same administrator.
  await sql("insert into public.campaigns (id, name, team_id) values ('shared', 'Shared', 'hillside')");
  await sql("insert into public.campaign_team values ('hillside', 'shared'), ('riverside', 'shared')");
  await join("admin", "hillside", role("Administrator"));
}

const newFields = { name: "Clean water", signatureGoal: null, startsOn: null, endsOn: null };
const campaignSettings = { ...plainCampaign, ...newFields };
const settings = { name: "Riverside", timeZone: "UTC", locale: "en-US", linesPerSheet: 20, eraseAfterDays: null };
const otherSettings = {
  name: "River side",
  timeZone: "America/Los_Angeles",
  locale: "es-US",
  linesPerSheet: 15,
  eraseAfterDays: 60,
};
const nowhere = { roleId: null, setIds: [] };
const campaign = "clean-water";

const ofMembers: Record<string, () => object> = {
  members: () => ({
    members: ["clerk", "canvasser"].map((name) => ({
      userId: id(name),
      before: { roleId: role("Field team"), status: "active" },
      after: { roleId: role("Member"), status: "suspended" },
    })),
  }),
  campaigns: () => {
    const after = { roleId: role("Canvasser"), setIds: [set("Chart viewing")] };
    return { places: [{ userId: id("clerk"), campaign: "safe-streets", before: nowhere, after }] };
  },
  "create-campaign": () => ({ campaign: "new-one", after: { ...newFields, name: "New one" } }),
  "edit-campaign": () => ({
    campaign,
    before: campaignSettings,
    after: { ...campaignSettings, name: "Cleaner", signatureGoal: 10 },
  }),
  "attach-campaign": () => ({ campaign: "hill-only" }),
  "detach-campaign": () => ({ campaign: "shared" }),
  "stop-sharing": () => ({ campaign: "open-parks", from: "hillside" }),
  "hand-over-campaign": () => ({ campaign: "open-parks", to: "hillside" }),
  "edit-team": () => ({ before: settings, after: otherSettings }),
};
const ofRoles: Record<string, () => object> = {
  "create-role": () => ({ name: "Drivers", scope: "assigned" }),
  "rename-role": () => ({ roleId: helpers, before: "Helpers", after: "Helping hands" }),
  "delete-role": () => ({ roleId: helpers }),
  "role-sets": () => ({ roleId: helpers, before: [helping], after: [set("Chart viewing")] }),
  "create-set": () => ({ after: { name: "Driving", description: null }, keys: ["charts.view"] }),
  "edit-set": () => {
    const before = { name: "Helping", description: null };
    return { setId: helping, before, after: { ...before, description: "What helpers do." } };
  },
  "delete-set": () => ({ setId: unused }),
  "set-keys": () => ({
    sets: [helping, unused].map((setId) => ({ setId, before: [], after: ["charts.view", "voters.search"] })),
  }),
  "team-sets": () => ({ before: sets(), after: sets().filter((candidate) => candidate !== set("Chart editing")) }),
  "campaign-sets": () => ({ campaign, before: [], after: [set("Chart editing")] }),
};

const others = demoNames.filter((name) => name !== "admin");
describe.each([
  ["members.manage", "roles.manage", ofMembers],
  ["roles.manage", "members.manage", ofRoles],
])("changes that need %s, not %s", (_key, otherKey, changes) => {
  test.each(Object.keys(changes))("%s: others are refused, and nothing changes", (kind) =>
    nothingChanges(async () => {
      const request = { kind, team: "riverside", ...changes[kind]?.() };
      for (const name of [...others, otherKey]) {
        for (const send of [change, preview]) {
          expect([name, await send(name, request)]).toEqual([name, { outcome: "not-allowed" }]);
        }
      }
    }),
  );

  test.each(Object.keys(changes))("%s: the administrator can make it, once, logged with their name", async (kind) => {
    const request = { kind, team: "riverside", ...changes[kind]?.() };
    await nothingChanges(async () => expect(await preview("admin", request)).toMatchObject({ outcome: "done" }));
    const [{ last } = {}] = await sql("select max(id) as last from public.audit_log");
    expect(await change("admin", request)).toEqual({ outcome: "done" });
    expect(await sql("select distinct actor_id, actor_name from public.audit_log where id > $1", [last])).toEqual([
      { actor_id: id("admin"), actor_name: "admin" },
    ]);
    await nothingChanges(async () => expect(await change("admin", request)).not.toEqual({ outcome: "done" }));
  });
});

const lastLogged = async () => (await sql("select * from public.audit_log order by id desc limit 1"))[0];

describe("settings", () => {
  test("are saved without the second factor where the form doesn't offer it", async () => {
    const before = { ...settings, secondFactor: "optional" };
    const request = { kind: "edit-team", team: "riverside", before, after: otherSettings };
    expect(await change("admin", request)).toEqual({ outcome: "done" });
  });

  const edit = (more: object = {}) => ({
    kind: "edit-team",
    team: "riverside",
    before: settings,
    after: { ...otherSettings, ...more },
  });

  test("are logged with before and after, and don't overwrite newer ones", async () => {
    expect(await preview("admin", edit())).toMatchObject({ outcome: "done", effects: [] });
    expect(await change("admin", edit())).toEqual({ outcome: "done" });
    expect(await lastLogged()).toMatchObject({
      table_name: "teams",
      team_id: "riverside",
      before: { name: "Riverside", time_zone: "UTC", locale: "en-US", lines_per_sheet: 20 },
      after: { name: "River side", time_zone: "America/Los_Angeles", locale: "es-US", lines_per_sheet: 15 },
    });
    await nothingChanges(async () => {
      expect(await change("admin", edit())).toEqual({ outcome: "unchanged" });
      expect(await change("admin", edit({ name: "Other" }))).toEqual({ outcome: "stale" });
    });
  });

  test.each([
    ["a zone unknown to PostgreSQL", { timeZone: "Foo5" }, "no-such-zone"],
    ["an invalid locale", { locale: "english" }, "gone"],
    ["no line on a sheet", { linesPerSheet: 0 }, "gone"],
    ["an empty name", { name: "" }, "gone"],
  ])("%s can't be set", (_, wrong, outcome) =>
    nothingChanges(async () => expect(await change("admin", edit(wrong))).toEqual({ outcome })),
  );

  test("PostgreSQL knows every time zone that can be chosen", async () => {
    const known = await sql<{ name: string }>("select name from pg_timezone_names");
    const names = new Set(known.map(({ name }) => name));
    const choices = [...timeZoneChoices("UTC").values()].flat();
    expect(choices.length).toBeGreaterThan(400);
    expect(choices.filter(({ id }) => !names.has(id))).toEqual([]);
  });
});

describe("leaving", () => {
  const leave = { kind: "leave-team", team: "riverside" };

  test("a member previews what they lose, leaves, and has no access to the team any more", async () => {
    const place = { access: "closes", gains: [] };
    const cleanWater = { id: "clean-water", name: "Clean water" };
    const places = [
      { ...place, campaign: null, losses: ["voters.search"] },
      { ...place, campaign: cleanWater, losses: ["campaign.view", "voters.search"] },
    ];
    expect(await preview("canvasser", leave)).toMatchObject({
      outcome: "done",
      effects: [{ userId: id("canvasser"), name: "canvasser", places }],
    });
    expect(await change("canvasser", leave)).toEqual({ outcome: "done" });
    const whose = { actor_id: id("canvasser"), subject_id: id("canvasser") };
    expect(await lastLogged()).toMatchObject({ action: "delete", ...whose });
    expect(await sql("select public.permission_places($1) as places", [id("canvasser")])).toEqual([
      { places: { teams: [] } },
    ]);
    expect(await sql("select from public.campaign_user_roles_team where user_id = $1", [id("canvasser")])).toEqual([]);
    await nothingChanges(async () => expect(await change("canvasser", leave)).toEqual({ outcome: "gone" }));
  });

  test.each(["suspended", "outsider", "hill"])("%s isn't an active member and can't leave", (name) =>
    nothingChanges(async () => {
      for (const send of [change, preview]) expect(await send(name, leave)).toEqual({ outcome: "gone" });
    }),
  );

  test("the last administrator can't leave, even without permissions; one of two can", async () => {
    const refused = () =>
      nothingChanges(async () => {
        for (const send of [change, preview]) {
          expect(await send("admin", leave)).toEqual({ outcome: "last-administrator" });
        }
      });
    await refused();
    await sql("delete from public.team_p_sets where team_id = 'riverside'");
    await refused();
    await join("second", "riverside", role("Administrator"));
    expect(await preview("second", leave)).toMatchObject({ outcome: "done", effects: [{ name: "second" }] });
    expect(await change("second", leave)).toEqual({ outcome: "done" });
  });
});
