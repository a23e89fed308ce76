// What the administrators of a team hold by its bundles, and who may take it from them and give it back.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestDatabase, type Person, type TestDatabase } from "../../support/test-database.ts";
import { type AdministeredTeam, administeredRows, makeAdministeredTeam } from "./administered-team.ts";

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
  const { body } = await database.rest(`rpc/${verb}`, { as, body: { p_change: { team: "riverside", ...change } } });
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
async function refusedOverRest(as: Person, method: string, path: string, body: unknown, sentence: string) {
  const before = await administeredRows(database);
  const answer = await database.rest(path, { as, method, body });
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(JSON.stringify(answer.body)).toContain(sentence);
  expect(await administeredRows(database)).toEqual(before);
}
const stripped = "The administrators of a team keep managing its members and roles.";
const notHers = "Nobody takes a permission from administrators that she could not give back.";
const more = "Nobody gives a permission that she does not hold herself.";

describe("somebody with roles.manage alone", () => {
  test("takes neither all sets from the administrators, nor the one to manage with", async () => {
    await refused(hana, teamSets(all(), []), "administrators-stripped");
    await refused(hana, teamSets(all(), without(team.sets["Team administration"])), "administrators-stripped");
    await refusedOverRest(hana, "DELETE", "team_p_sets?team_id=eq.riverside", undefined, stripped);
  });

  test("takes no set and no key from them that she does not hold", async () => {
    await inCleanWater();
    await reaches(hana, campaigns);
    await refused(hana, takeInTeam(), "not-yours-to-take");
    await refused(hana, setKeys(sets.charts, keysOf.charts, []), "not-yours-to-take");
    await refused(hana, { kind: "delete-set", setId: sets.charts }, "in-use");
    await refusedOverRest(hana, "DELETE", `team_p_sets?permission_set_id=eq.${sets.charts}`, undefined, notHers);
    const keys = `permission_set_keys?permission_set_id=eq.${sets.charts}`;
    await refusedOverRest(hana, "DELETE", `${keys}&key=eq.charts.edit`, undefined, notHers);
    await refusedOverRest(hana, "DELETE", keys, undefined, notHers);

    await database.sql("delete from public.team_p_sets where permission_set_id = $1", [sets.charts]);
    await refused(hana, campaignSets([sets.charts], []), "not-yours-to-take");
    await refusedOverRest(hana, "DELETE", "campaign_team_sets?campaign_id=eq.clean-water", undefined, notHers);
  });

  test("takes what they hold twice, as they keep it", async () => {
    await inCleanWater();
    await reaches(hana, campaigns);
    expect(await call(hana, campaignSets([sets.charts], []))).toBe("done");
    await database.sql("insert into public.team_p_sets values ('riverside', $1)", [team.sets["Chart building"]]);
    expect(await call(hana, setKeys(sets.charts, keysOf.charts, []))).toBe("done");
  });

  test("takes what she holds everywhere, and gives it back; not where a campaign is closed to her", async () => {
    await database.sql("insert into public.role_p_sets values ($1, $2)", [roles.hana, team.sets["Chart building"]]);
    await reaches(hana, campaigns.slice(1));
    await refused(hana, takeInTeam(), "not-yours-to-take");
    await reaches(hana, campaigns);
    expect(await call(hana, takeInTeam())).toBe("done");
    expect(await call(hana, giveInTeam())).toBe("done");
  });

  test("takes nothing by a change that ends her managing of roles, as she could not give it back", async () => {
    await database.sql("insert into public.role_p_sets values ($1, $2)", [roles.hana, team.sets["Chart building"]]);
    await reaches(hana, campaigns);
    const both = `permission_set_keys?permission_set_id=in.(${sets.hana},${sets.charts})`;
    await refusedOverRest(hana, "DELETE", both, undefined, notHers);
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
    const path = `team_p_sets?permission_set_id=eq.${administration}`;
    await refusedOverRest(admin, "DELETE", path, undefined, stripped);
  });

  test("gives back what she took: in the team", async () => {
    expect(await call(admin, takeInTeam())).toBe("done");
    expect(await call(admin, giveInTeam(), "preview_access_change")).toBe("done");
    expect(await call(admin, giveInTeam())).toBe("done");
    expect(await database.sql("select 1 from private.taken_from_administrators")).toEqual([]);
  });

  test("gives back what she took: a key of a set", async () => {
    expect(await call(admin, setKeys(sets.charts, keysOf.charts, ["charts.view"]))).toBe("done");
    await refused(other, setKeys(sets.charts, ["charts.view"], keysOf.charts), "more-than-own");
    expect(await call(admin, setKeys(sets.charts, ["charts.view"], keysOf.charts))).toBe("done");
  });

  test("gives back what she took: in a campaign, and no further", async () => {
    await inCleanWater();
    await database.sql("delete from public.team_p_sets where permission_set_id = $1", [sets.charts]);
    expect(await call(admin, campaignSets([sets.charts], []))).toBe("done");
    await refused(admin, giveInTeam(), "more-than-own");
    await refused(admin, { ...campaignSets([], [sets.charts]), campaign: "open-parks" }, "more-than-own");
    expect(await call(admin, campaignSets([], [sets.charts]))).toBe("done");
  });

  test("gives back what she took: over REST, row by row", async () => {
    const row = { team_id: "riverside", permission_set_id: sets.charts };
    const key = { permission_set_id: sets.charts, key: "charts.edit" };
    const path = `permission_set_id=eq.${sets.charts}`;
    const gone = [`team_p_sets?${path}`, `permission_set_keys?${path}&key=eq.charts.edit`];
    for (const one of gone) expect((await database.rest(one, { as: admin, method: "DELETE" })).status).toBe(204);
    await refusedOverRest(other, "POST", "team_p_sets", row, more); // charts.view, which is left in it
    expect((await database.rest("permission_set_keys", { as: admin, body: key })).status).toBe(201);
    expect((await database.rest("team_p_sets", { as: admin, body: row })).status).toBe(201);
  });

  test("gives a part back, then the rest", async () => {
    expect(await call(admin, takeInTeam())).toBe("done");
    await inCleanWater();
    expect(await call(admin, campaignSets([sets.charts], []))).toBe("done");
    expect(await call(admin, campaignSets([], [sets.charts]))).toBe("done");
    expect(await call(admin, giveInTeam())).toBe("done");
  });

  test("gives nothing that was gone before, or that a preview alone took", async () => {
    expect(await call(admin, takeInTeam(), "preview_access_change")).toBe("done");
    await database.sql("delete from public.team_p_sets where permission_set_id = $1", [sets.charts]);
    await refused(admin, giveInTeam(), "more-than-own");
  });
});

describe("what she took is hers to give as long as she is an administrator", () => {
  const put = (values: string) => () =>
    database.sql(`update public.team_users set ${values} where user_id = $1`, [admin.id]);
  const ends: Record<string, () => Promise<unknown>> = {
    "in another role": async () => {
      await put(`role_id = '${roles.mia}'`)();
      await put(`role_id = '${team.roles.Administrator}'`)();
    },
    suspended: async () => {
      await put("status = 'suspended'")();
      await put("status = 'active'")();
    },
    removed: async () => {
      await database.sql("delete from public.team_users where user_id = $1", [admin.id]);
      await database.sql(
        "insert into public.team_users (user_id, team_id, role_id, status) values ($1, 'riverside', $2, 'active')",
        [admin.id, team.roles.Administrator],
      );
    },
    "in a role that was none of administrators for a while": async () => {
      await database.sql("update public.roles set scope = 'assigned' where name = 'Administrator'");
      await database.sql("update public.roles set scope = 'inherit_team' where name = 'Administrator'");
    },
  };
  test.each(Object.entries(ends))("not once she was %s", async (_what, happens) => {
    expect(await call(admin, takeInTeam())).toBe("done");
    await happens();
    await refused(admin, giveInTeam(), "more-than-own");
    await refusedOverRest(admin, "POST", "team_p_sets", { team_id: "riverside", permission_set_id: sets.charts }, more);
  });

  test("not once another administrator suspended and reinstated her, who never held it", async () => {
    await database.sql("delete from public.team_users where user_id = $1", [other.id]);
    expect(await call(admin, takeInTeam())).toBe("done");
    await database.sql(
      "insert into public.team_users (user_id, team_id, role_id, status) values ($1, 'riverside', $2, 'active')",
      [other.id, team.roles.Administrator],
    );
    const member = (before: string, after: string) => ({
      kind: "members",
      members: [
        {
          userId: admin.id,
          before: { roleId: team.roles.Administrator, status: before },
          after: { roleId: team.roles.Administrator, status: after },
        },
      ],
    });
    expect(await call(other, member("active", "suspended"))).toBe("done");
    expect(await call(other, member("suspended", "active"))).toBe("done");
    await refused(admin, giveInTeam(), "more-than-own");
  });
});

test("a campaign is brought in only with all that its administrators may be given back there", async () => {
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
  expect(await call(admin, attach)).toBe("more-than-own");
  expect(await call(admin, giveInTeam())).toBe("done");
  expect(await call(admin, attach)).toBe("more-than-own");
});

test("what another administrator takes later, nobody gives back who took it before", async () => {
  expect(await call(admin, takeInTeam())).toBe("done");
  expect(await call(admin, giveInTeam())).toBe("done");
  expect(await call(other, takeInTeam())).toBe("done");
  await refused(admin, giveInTeam(), "more-than-own");
  expect(await call(other, giveInTeam())).toBe("done");

  // Whoever gave it back: here somebody who is no administrator, and holds it.
  await database.sql("insert into public.role_p_sets values ($1, $2)", [roles.hana, team.sets["Chart building"]]);
  await reaches(hana, campaigns);
  expect(await call(admin, takeInTeam())).toBe("done");
  expect(await call(hana, giveInTeam())).toBe("done");
  expect(await call(other, takeInTeam())).toBe("done");
  await refused(admin, giveInTeam(), "more-than-own");
});

test("SQL and the service role take what they want, and nobody has it to give back", async () => {
  const path = `team_p_sets?team_id=eq.riverside&permission_set_id=neq.${team.sets["Team administration"]}`;
  expect((await database.rest(path, { as: "service", method: "DELETE" })).status).toBe(204);
  const administration = [team.sets["Team administration"] ?? ""];
  await refused(admin, teamSets(administration, [...administration, sets.charts]), "more-than-own");
  await database.sql("delete from public.team_p_sets where team_id = 'riverside'");
});
