import { beforeAll, describe, expect, test } from "vitest";
import { addSignatures, setUpChartWorld } from "../../support/chart-world.ts";

// What a chart cannot reach, and that trying leaves nothing behind.

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

const base = {
  p_source: "signatures",
  p_team_id: "north",
  p_campaign_id: "lakes",
  p_group_by: "",
  p_metrics: [],
  p_filters: [],
};
const aggregate = (changes: object) =>
  database.rest("rpc/aggregate_chart", {
    as: "service",
    body: { p_actor_id: person("ann").id, ...base, ...changes },
  });
const refused = (part: string) => ({ status: 200, body: { refused: { part, message: expect.any(String) } } });

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
  ])("%j is refused", async (p_source) => {
    expect(await aggregate({ p_source })).toEqual(refused("source"));
    const values = await database.rest("rpc/chart_values", {
      as: "service",
      body: {
        p_actor_id: person("ann").id,
        p_source,
        p_team_id: "north",
        p_campaign_id: "lakes",
        p_column: "word",
        p_prefix: "",
      },
    });
    expect(values).toEqual(refused("source"));
  });

  test("of any name in reporting is read, its names quoted", async () => {
    const answer = await aggregate({ p_source: 'odd "name" $1', p_group_by: 'w"; --' });
    expect(answer.body).toMatchObject({ rows: [{ key: "hidden", group: { 'w"; --': "hidden" } }] });
  });

  test("those that the builder is told of are those that can be read", async () => {
    const { body } = await database.rest("rpc/chart_sources", { as: "service", body: {} });
    expect(body).toMatchObject(["clerk_work", "lines", 'odd "name" $1', "signatures"].map((name) => ({ name })));
  });
});

describe("names and values that try to break out", () => {
  const evil = ["county; drop table public.charts", 'county" or "1"="1', "*", "ctid"];

  test.each(evil)("the column %j is unknown, wherever it stands", async (column) => {
    expect(await aggregate({ p_group_by: column })).toEqual(refused("groupBy"));
    expect(await aggregate({ p_metrics: [{ key: "m", aggregation: "count", column }] })).toEqual(
      refused("metrics.0.column"),
    );
    expect(await aggregate({ p_filters: [{ column, operator: "eq", value: null }] })).toEqual(
      refused("filters.0.column"),
    );
    const segment = [{ column, operator: "eq", value: null }];
    expect(await aggregate({ p_metrics: [{ key: "m", aggregation: "count", segment }] })).toEqual(
      refused("metrics.0.segment.0.column"),
    );
  });

  test.each(["=", "ilike '%' or county", "EQ", ""])("the operator %j is none", async (operator) => {
    expect(await aggregate({ p_filters: [{ column: "county", operator, value: "x" }] })).toEqual(
      refused("filters.0.operator"),
    );
  });

  test.each(["x' or '1'='1", "o'; drop table public.charts; --", "$1", "%s", "\\", "'", '"'])(
    "the value %j is a value",
    async (value) => {
      const found = value.startsWith("o'") ? 1 : 0;
      for (const operator of ["eq", "contains"]) {
        const { body } = await aggregate({ p_filters: [{ column: "county", operator, value }] });
        expect(body, operator).toMatchObject({ recordCount: operator === "contains" && value === "'" ? 1 : found });
      }
      const { body } = await aggregate({ p_filters: [{ column: "county", operator: "in", value: [value] }] });
      expect(body).toMatchObject({ recordCount: found });
    },
  );

  test("a metric key cannot carry SQL, nor an aggregation", async () => {
    expect(await aggregate({ p_metrics: [{ key: "a', (select 1)) --", aggregation: "count" }] })).toEqual(
      refused("metrics.0.key"),
    );
    expect(await aggregate({ p_metrics: [{ key: "a", aggregation: "count(*), max" }] })).toEqual(
      refused("metrics.0.aggregation"),
    );
  });

  test("a filter on team or campaign only narrows what the chart's own place holds", async () => {
    for (const [column, value] of [
      ["team_id", "south"],
      ["campaign_id", "rivers"],
    ]) {
      expect((await aggregate({ p_filters: [{ column, operator: "eq", value }] })).body).toMatchObject({
        recordCount: 0,
      });
      expect((await aggregate({ p_filters: [{ column, operator: "neq", value }] })).body).toMatchObject({
        recordCount: 2,
      });
    }
    for (const place of [{ p_team_id: "' or true --" }, { p_campaign_id: "' or true --" }, { p_team_id: null }]) {
      expect((await aggregate(place)).body).toMatchObject({ recordCount: 0 });
    }
  });

  test("all of it left the tables as they were", async () => {
    expect(await database.sql("select count(*)::int as n from public.lines")).toEqual([{ n: 3 }]);
    expect(await database.sql("select count(*)::int as n from public.charts")).toEqual([{ n: 0 }]);
  });
});

test("schema reporting is not shown by REST, to nobody", async () => {
  const headers = { "accept-profile": "reporting" };
  expect((await database.rest("signatures", { as: "service", headers })).status).toBe(406);
});
