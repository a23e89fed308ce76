// What the administrators of a team hold by its bundles: administrators alone change it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestDatabase, type Person, type TestDatabase } from "../../support/test-database.ts";
import { type AdministeredTeam, administeredRows, callFor, makeAdministeredTeam } from "./administered-team.ts";

// Hana manages roles alone, and Mia members alone, so that the team never lacks somebody who manages either. Charts has
// what the built-in sets for charts have: administrators hold charts.edit by it alone.
let database: TestDatabase;
let team: AdministeredTeam;
let admin: Person;
let other: Person; // a second administrator
let hana: Person;
let mia: Person;
const roles = { hana: "", mia: "" };
const sets = { hana: "", mia: "", charts: "" };
beforeAll(async () => {
  database = await openTestDatabase();
  team = await makeAdministeredTeam(database);
  admin = team.person("admin");
  other = await database.signUp("other");
  hana = await database.signUp("hana");
  mia = await database.signUp("mia");
  const one = async (statement: string) => {
    const [row] = await database.sql<{ id: string }>(`${statement} returning id`);
    return row?.id ?? "";
  };
  for (const name of ["hana", "mia"] as const) {
    roles[name] = await one(`insert into public.roles (team_id, name) values ('riverside', '${name}')`);
  }
  for (const name of ["hana", "mia", "charts"] as const) {
    sets[name] = await one(`insert into public.permission_sets (team_id, name) values ('riverside', '${name}')`);
  }
});
afterAll(() => database.close());

const keysOf: Record<keyof typeof sets, string[]> = {
  hana: ["roles.manage"],
  mia: ["members.manage", "members.view"],
  charts: ["charts.edit", "charts.view"],
};
const campaigns = ["clean-water", "open-parks", "safe-streets"];
beforeEach(async () => {
  await database.sql("delete from public.team_users where team_id = 'riverside' and user_id <> all ($1)", [
    [team.person("clerk").id, team.person("canvasser").id],
  ]);
  for (const [person, role] of [
    [admin, team.roles.Administrator],
    [other, team.roles.Administrator],
    [hana, roles.hana],
    [mia, roles.mia],
  ] as const) {
    await database.sql(
      "insert into public.team_users (user_id, team_id, role_id, status) values ($1, 'riverside', $2, 'active')",
      [person.id, role],
    );
  }
  await database.sql("delete from public.permission_set_keys where permission_set_id = any ($1)", [
    Object.values(sets),
  ]);
  for (const name of ["hana", "mia", "charts"] as const) {
    await database.sql("insert into public.permission_set_keys select $1, unnest($2::text[])", [
      sets[name],
      keysOf[name],
    ]);
  }
  await database.sql("delete from public.role_p_sets where role_id = any ($1)", [Object.values(roles)]);
  await database.sql("insert into public.role_p_sets values ($1, $2), ($3, $4)", [
    roles.hana,
    sets.hana,
    roles.mia,
    sets.mia,
  ]);
  await database.sql("delete from public.team_p_sets where team_id = 'riverside'");
  await database.sql("insert into public.team_p_sets select 'riverside', unnest($1::uuid[])", [
    Object.values(forAdministrators()),
  ]);
  await database.sql("delete from public.campaign_team_sets where team_id = 'riverside'");
});

const forAdministrators = () => {
  const { "Chart building": _building, "Chart reading": _reading, ...builtIn } = team.sets;
  return { ...builtIn, Charts: sets.charts };
};
const all = () => Object.values(forAdministrators()).sort();
const without = (...ids: (string | undefined)[]) => all().filter((id) => !ids.includes(id));

const call = async (as: Person, change: object, verb = "change_access") => {
  const { body } = await callFor(database, as, verb, { p_change: { team: "riverside", ...change } });
  return typeof body === "object" && body !== null && "outcome" in body ? body.outcome : body;
};
const teamSets = (before: string[], after: string[]) => ({ kind: "team-sets", before, after });
const setKeys = (setId: string, before: string[], after: string[]) => ({
  kind: "set-keys",
  sets: [{ setId, before, after }],
});
const campaignSets = (before: string[], after: string[]) => ({
  kind: "campaign-sets",
  campaign: "clean-water",
  before,
  after,
});
const inCleanWater = () =>
  database.sql("insert into public.campaign_team_sets values ('riverside', 'clean-water', $1)", [sets.charts]);
const reaches = (person: Person, reached: string[]) =>
  database.sql(
    "insert into public.campaign_user_roles_team select $1, 'riverside', unnest($3::text[]), $2 on conflict do nothing",
    [person.id, team.roles.Member, reached],
  );
const takeInTeam = () => teamSets(all(), without(sets.charts));
const giveInTeam = () => teamSets(without(sets.charts), all());

async function refused(as: Person, change: object, outcome: string) {
  const before = await administeredRows(database);
  expect(await call(as, change, "preview_access_change"), "preview").toBe(outcome);
  expect(await call(as, change)).toBe(outcome);
  expect(await administeredRows(database)).toEqual(before);
}
describe("somebody with roles.manage alone", () => {
  test("takes neither all sets from the administrators, nor the one to manage with", async () => {
    await refused(hana, teamSets(all(), []), "administrators-stripped");
    await refused(hana, teamSets(all(), without(team.sets["Team administration"])), "administrators-stripped");
  });

  test("takes no set and no key from them, and gives them none, whatever they hold themself", async () => {
    await database.sql("insert into public.role_p_sets values ($1, $2)", [roles.hana, team.sets["Chart building"]]);
    await reaches(hana, campaigns);
    await refused(hana, takeInTeam(), "administrators-only");
    await refused(hana, setKeys(sets.charts, keysOf.charts, []), "administrators-only");
    await refused(hana, { kind: "delete-set", setId: sets.charts }, "in-use");

    await database.sql("delete from public.team_p_sets where permission_set_id = $1", [sets.charts]);
    await refused(hana, giveInTeam(), "administrators-only");
    await refused(hana, campaignSets([], [sets.charts]), "administrators-only");
    await inCleanWater();
    await refused(hana, campaignSets([sets.charts], []), "administrators-only");
  });

  test("takes what they hold twice, as they keep it", async () => {
    await inCleanWater();
    await reaches(hana, campaigns);
    expect(await call(hana, campaignSets([sets.charts], []))).toBe("done");
    await database.sql("insert into public.team_p_sets values ('riverside', $1)", [team.sets["Chart building"]]);
    expect(await call(hana, setKeys(sets.charts, keysOf.charts, []))).toBe("done");
  });

  test("changes a role that administrators do not hold as before", async () => {
    expect(
      await call(hana, { kind: "role-sets", roleId: roles.mia, before: [sets.mia], after: [sets.mia, sets.hana] }),
    ).toBe("done");
    expect(await call(hana, setKeys(sets.mia, keysOf.mia, ["members.manage"]))).toBe("done");
  });
});

describe("an administrator", () => {
  test("does not take from all of them what they manage with, nor does any who manages beside them", async () => {
    const administration = team.sets["Team administration"];
    await refused(admin, teamSets(all(), without(administration)), "administrators-stripped");
    await database.sql(
      "insert into public.role_p_sets select $1, unnest($2::uuid[]) on conflict do nothing", // all that they hold
      [roles.hana, all()],
    );
    await reaches(hana, campaigns);
    await refused(hana, teamSets(all(), without(administration)), "administrators-stripped");
  });

  test.each(["admin", "other"] as const)(
    "takes a key, a set and a campaign's set, and %s gives them back",
    async (by) => {
      const giver = by === "admin" ? admin : other;
      expect(await call(admin, setKeys(sets.charts, keysOf.charts, ["charts.view"]))).toBe("done");
      expect(await call(giver, setKeys(sets.charts, ["charts.view"], keysOf.charts))).toBe("done");
      await inCleanWater();
      expect(await call(admin, takeInTeam())).toBe("done");
      expect(await call(admin, campaignSets([sets.charts], []))).toBe("done");
      expect(await call(giver, campaignSets([], [sets.charts]), "preview_access_change")).toBe("done");
      expect(await call(giver, campaignSets([], [sets.charts]))).toBe("done");
      expect(await call(giver, giveInTeam())).toBe("done");
    },
  );

  test("gives to administrators alone what administrators do not hold", async () => {
    await database.sql("delete from public.permission_set_keys where permission_set_id = $1", [sets.charts]);
    await database.sql("insert into public.role_p_sets values ($1, $2)", [roles.hana, sets.charts]);
    await refused(admin, setKeys(sets.charts, [], keysOf.charts), "more-than-own"); // hana's role has the set too
    await database.sql("delete from public.role_p_sets where permission_set_id = $1", [sets.charts]);
    expect(await call(admin, setKeys(sets.charts, [], keysOf.charts))).toBe("done");
  });

  test("does so only with roles.manage", async () => {
    await database.sql("delete from public.team_p_sets where permission_set_id = $1", [
      team.sets["Team administration"],
    ]);
    await refused(admin, teamSets(all(), without(sets.charts)), "not-allowed");
  });
});

test("a campaign is brought in only with all that its administrators are given there", async () => {
  // In Hillside she manages members and holds all but charts.edit, in its campaign too.
  const one = async (statement: string, given: unknown[] = []) =>
    (await database.sql<{ id: string }>(`${statement} returning id`, given))[0]?.id ?? "";
  const role = await one("insert into public.roles (team_id, name) values ('hillside', 'Liaison')");
  const set = await one("insert into public.permission_sets (team_id, name) values ('hillside', 'Liaison')");
  await database.sql(
    "insert into public.permission_set_keys select $1, key from public.permission_keys where key <> 'charts.edit'",
    [set],
  );
  await database.sql("insert into public.role_p_sets values ($1, $2)", [role, set]);
  await database.sql(
    "insert into public.team_users (user_id, team_id, role_id, status) values ($1, 'hillside', $2, 'active')",
    [admin.id, role],
  );
  await database.sql("insert into public.campaign_user_roles_team values ($1, 'hillside', 'hill-only', $2)", [
    admin.id,
    role,
  ]);
  const attach = { kind: "attach-campaign", campaign: "hill-only" };
  expect(await call(admin, attach)).toBe("more-than-own");
  expect(await call(admin, takeInTeam())).toBe("done");
  expect(await call(admin, attach)).toBe("done");
});
