import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { openTestDatabase, type TestDatabase } from "../../support/test-database.ts";
import { type AdministeredTeam, administeredRows, callFor, makeAdministeredTeam } from "./administered-team.ts";

let database: TestDatabase;
let team: AdministeredTeam;
beforeAll(async () => {
  database = await openTestDatabase();
  team = await makeAdministeredTeam(database);
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.sql("delete from public.access_requests");
});

const ask = async (name: string, campaign: string | null, key: string, at = "riverside") => {
  const body = { p_team_id: at, p_campaign_id: campaign, p_key: key };
  return (await callFor(database, team.person(name), "ask_for_access", body)).body;
};
const open = async () => {
  const { body } = await database.rest("rpc/open_access_requests", { as: "service", body: { p_team_id: "riverside" } });
  return Array.isArray(body) ? body : [];
};

test("a member asks once for a key in a place; the administrators find it in the activity", async () => {
  expect(await ask("clerk", "clean-water", "charts.view")).toEqual({ outcome: "asked" });
  expect(await ask("clerk", "clean-water", "charts.view")).toEqual({ outcome: "asked-already" });
  expect(await ask("clerk", "safe-streets", "charts.view")).toEqual({ outcome: "asked" });
  expect(await ask("clerk", null, "members.view")).toEqual({ outcome: "asked" });
  expect(await open()).toMatchObject([
    { name: "clerk", campaign: { id: "clean-water", name: "Clean water" }, key: "charts.view", held: false },
    { name: "clerk", campaign: { id: "safe-streets" }, key: "charts.view", held: false },
    { name: "clerk", campaign: null, key: "members.view", held: false },
  ]);
  const activity = await database.rest("rpc/team_activity", {
    as: "service",
    body: { p_team_id: "riverside", p_filter: { tables: ["access_requests"] }, p_limit: 1 },
  });
  expect(activity.body).toMatchObject([
    { actor_name: "clerk", subject_name: "clerk", action: "insert", after: { key: "members.view" } },
  ]);
});

test.each<[why: string, name: string, campaign: string | null, key: string, outcome: string, at?: string]>([
  ["a key that she holds", "clerk", "clean-water", "voters.search", "held"],
  ["a key that there is not", "clerk", "clean-water", "charts.eat", "no-place"],
  ["a campaign that there is not", "clerk", "nowhere", "charts.view", "no-place"],
  ["a campaign of another team", "clerk", "hill-only", "charts.view", "no-place"],
  ["a team that she is not in", "clerk", null, "members.view", "no-place", "hillside"],
  ["a team that suspended her", "suspended", null, "members.view", "no-place"],
  ["a team that is not there", "outsider", null, "members.view", "no-place", "nowhere"],
])("nothing is asked: %s", async (_why, name, campaign, key, outcome, at) => {
  const before = await administeredRows(database);
  expect(await ask(name, campaign, key, at)).toEqual({ outcome });
  expect(await administeredRows(database)).toEqual(before);
});

test("the change that grants it closes the request, so that it can be asked again later", async () => {
  await ask("clerk", "clean-water", "charts.view");
  await ask("canvasser", "clean-water", "charts.view");
  const place = { userId: team.person("clerk").id, campaign: "clean-water" };
  const before = { roleId: team.roles["Signature clerk"], setIds: [] };
  const after = { ...before, setIds: [team.sets["Chart reading"]] };
  const change = (one: object) => ({
    p_change: { kind: "campaigns", team: "riverside", places: [{ ...place, ...one }] },
  });
  const as = team.person("admin");
  expect((await callFor(database, as, "change_access", change({ before, after }))).body).toEqual({
    outcome: "done",
  });
  expect((await open()).map(({ name }) => name)).toEqual(["canvasser"]);
  await callFor(database, as, "change_access", change({ before: after, after: before }));
  expect(await ask("clerk", "clean-water", "charts.view")).toEqual({ outcome: "asked" });
});

test("managers of the team decline requests, nobody else does, and a closed one stays closed", async () => {
  await ask("clerk", null, "members.view");
  const [request] = z.array(z.object({ id: z.uuid() })).parse(await open());
  const close = async (name: string, team_id = "riverside") => {
    const asked = { p_team_id: team_id, p_id: request?.id };
    return (await callFor(database, team.person(name), "close_access_request", asked)).body;
  };
  const before = await administeredRows(database);
  for (const name of ["clerk", "staff", "hill", "outsider"]) {
    expect(await close(name), name).toEqual({ outcome: "not-allowed" });
  }
  expect(await close("hill", "hillside")).toEqual({ outcome: "not-open" });
  expect(await administeredRows(database)).toEqual(before);
  expect(await close("admin")).toEqual({ outcome: "done" });
  expect(await open()).toEqual([]);
  expect(await close("admin")).toEqual({ outcome: "not-open" });
});
