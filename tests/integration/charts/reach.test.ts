import { beforeAll, describe, expect, test } from "vitest";
import { addSignatures, aggregate, setUpChartWorld } from "../../support/chart-world.ts";

// What a chart can't read, and that trying changes nothing.

const { database, person } = await setUpChartWorld();
beforeAll(async () => {
  await addSignatures(database, { counties: ["King", "o'; drop table public.charts; --"] });
  await addSignatures(database, { team: "south", counties: ["Secret"] });
  await database.sql("create table public.secrets (team_id text, campaign_id text, word text)");
  await database.sql("insert into public.secrets values ('north', 'lakes', 'hidden')");
  await database.sql("create view reporting.without_campaign as select team_id, word from public.secrets");
  await database.sql("create view reporting.without_team as select campaign_id, word from public.secrets");
  await database.sql("create view reporting.unreadable as select * from public.secrets");
  await database.sql("revoke all on reporting.unreadable from service_role");
  await database.sql(
    `create view reporting."odd ""name"" $1" as select team_id, campaign_id, word as "w""; --" from public.secrets`,
  );
});

const computeChart = (definition: Parameters<typeof aggregate>[2], options: object = {}) =>
  aggregate(database, { source: "signatures", actorId: person("ann").id, ...options }, definition);
const refused = (part: string) => ({ refused: { part, message: expect.any(String) } });
const counts = (recordCount: number) => expect.objectContaining({ recordCount });

describe("a source", () => {
  test.each([
    "secrets",
    "public.secrets",
    "SIGNATURES",
    "",
    "pg_catalog.pg_user",
    "team_users",
    'signatures" v cross join public.secrets s --',
    "without_campaign",
    "without_team",
    "unreadable",
  ])("%j is refused", async (source) => {
    expect(await computeChart({}, { source })).toEqual(refused("source"));
    const place = { p_actor_id: person("ann").id, p_team_id: "north", p_campaign_id: "lakes" };
    const body = { ...place, p_source: source, p_column: "word", p_prefix: "" };
    const { body: values } = await database.rest("rpc/chart_values", { as: "service", body });
    expect(values).toEqual(refused("source"));
  });

  test("with any name in the schema reporting can be read, its names quoted", async () => {
    const rows = [expect.objectContaining({ key: "hidden", group: { 'w"; --': "hidden" } })];
    expect(await computeChart({ groupBy: 'w"; --' }, { source: 'odd "name" $1' })).toMatchObject({ rows });
  });

  test("the builder lists the sources that can be read", async () => {
    const { body } = await database.rest("rpc/chart_sources", { as: "service", body: {} });
    expect(body).toMatchObject(
      ["clerk_work", "goal_pace", "lines", 'odd "name" $1', "sheets", "signatures"].map((name) => ({
        name,
        countsVoters: false,
      })),
    );
  });

  test("those with a county can show registered voters once a voter file is loaded", async () => {
    const query = { groupBy: "county", metrics: [{ key: "v", aggregation: "registered" }] };
    expect(await computeChart(query)).toMatchObject({ rows: [{ values: { v: null } }, { values: { v: null } }] });
    await database.sql(
      "insert into voterfile.voters (voter_id, last_name, county) values ('W1', 'Li', 'King'), ('W2', 'Li', 'King')",
    );
    await database.sql("select voterfile.refresh_names()");
    const { body } = await database.rest("rpc/chart_sources", { as: "service", body: {} });
    const can = {
      clerk_work: true,
      goal_pace: false,
      lines: true,
      'odd "name" $1': false,
      sheets: true,
      signatures: true,
    };
    expect(body).toMatchObject(Object.entries(can).map(([name, countsVoters]) => ({ name, countsVoters })));
    expect(await computeChart(query)).toMatchObject({
      rows: [{ key: "King", values: { v: 2 } }, { values: { v: null } }],
    });
  });
});

test("a filter on team or campaign only narrows the records of the chart's place", async () => {
  const others = { team_id: "south", campaign_id: "rivers" };
  for (const [column, value] of Object.entries(others)) {
    expect(await computeChart({ filters: [{ column, operator: "eq", value }] })).toEqual(counts(0));
    expect(await computeChart({ filters: [{ column, operator: "neq", value }] })).toEqual(counts(2));
  }
  for (const place of [{ team: "' or true --" }, { campaign: "' or true --" }, { team: null }])
    expect(await computeChart({}, place)).toEqual(counts(0));
});

test("none of this changes the tables", async () => {
  const [left] = await database.sql(
    "select (select count(*)::int from public.lines) as lines, (select count(*)::int from public.charts) as charts",
  );
  expect(left).toEqual({ lines: 3, charts: 0 });
});
