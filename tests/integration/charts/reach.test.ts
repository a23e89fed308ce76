import { beforeAll, describe, expect, test } from "vitest";
import { addSignatures, aggregate, setUpChartWorld } from "../../support/chart-world.ts";

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

const ask = (definition: Parameters<typeof aggregate>[2], at: object = {}) =>
  aggregate(database, { source: "signatures", actorId: person("ann").id, ...at }, definition);
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
    expect(await ask({}, { source })).toEqual(refused("source"));
    const place = { p_actor_id: person("ann").id, p_team_id: "north", p_campaign_id: "lakes" };
    const body = { ...place, p_source: source, p_column: "word", p_prefix: "" };
    const { body: values } = await database.rest("rpc/chart_values", { as: "service", body });
    expect(values).toEqual(refused("source"));
  });

  test("of any name in reporting is read, its names quoted", async () => {
    const rows = [expect.objectContaining({ key: "hidden", group: { 'w"; --': "hidden" } })];
    expect(await ask({ groupBy: 'w"; --' }, { source: 'odd "name" $1' })).toMatchObject({ rows });
  });

  test("those that the builder is told of are those that can be read", async () => {
    const { body } = await database.rest("rpc/chart_sources", { as: "service", body: {} });
    expect(body).toMatchObject(["clerk_work", "lines", 'odd "name" $1', "signatures"].map((name) => ({ name })));
  });
});

describe("names and values that try to break out", () => {
  const evil = ["county; drop table public.charts", 'county" or "1"="1', "*", "ctid"];

  test.each(evil)("the column %j is unknown, wherever it stands", async (column) => {
    const count = { key: "m", aggregation: "count" };
    const filters = [{ column, operator: "eq", value: null }];
    expect(await ask({ groupBy: column })).toEqual(refused("groupBy"));
    expect(await ask({ metrics: [{ ...count, column }] })).toEqual(refused("metrics.0.column"));
    expect(await ask({ filters })).toEqual(refused("filters.0.column"));
    expect(await ask({ metrics: [{ ...count, segment: filters }] })).toEqual(refused("metrics.0.segment.0.column"));
  });

  test.each(["=", "ilike '%' or county", "EQ", ""])("the operator %j is none", async (operator) => {
    expect(await ask({ filters: [{ column: "county", operator, value: "x" }] })).toEqual(refused("filters.0.operator"));
  });

  test.each(["x' or '1'='1", "o'; drop table public.charts; --", "$1", "%s", "\\", "'", '"'])(
    "the value %j is a value",
    async (value) => {
      const found = counts(value.startsWith("o'") ? 1 : 0);
      const isPart = counts(value.startsWith("o'") || value === "'" ? 1 : 0);
      const of = (operator: string, given: unknown) => ask({ filters: [{ column: "county", operator, value: given }] });
      expect([await of("eq", value), await of("in", [value]), await of("contains", value)]).toEqual([
        found,
        found,
        isPart,
      ]);
    },
  );

  test("a metric key cannot carry SQL, nor an aggregation", async () => {
    const key = "a', (select 1)) --";
    expect(await ask({ metrics: [{ key, aggregation: "count" }] })).toEqual(refused("metrics.0.key"));
    const aggregation = "count(*), max";
    expect(await ask({ metrics: [{ key: "a", aggregation }] })).toEqual(refused("metrics.0.aggregation"));
  });

  test("a filter on team or campaign only narrows what the chart's own place holds", async () => {
    const others = { team_id: "south", campaign_id: "rivers" };
    for (const [column, value] of Object.entries(others)) {
      expect(await ask({ filters: [{ column, operator: "eq", value }] })).toEqual(counts(0));
      expect(await ask({ filters: [{ column, operator: "neq", value }] })).toEqual(counts(2));
    }
    for (const place of [{ team: "' or true --" }, { campaign: "' or true --" }, { team: null }])
      expect(await ask({}, place)).toEqual(counts(0));
  });

  test("all of it left the tables as they were", async () => {
    const [left] = await database.sql(
      "select (select count(*)::int from public.lines) as lines, (select count(*)::int from public.charts) as charts",
    );
    expect(left).toEqual({ lines: 3, charts: 0 });
  });
});

test("schema reporting is not shown by REST, to nobody", async () => {
  const headers = { "accept-profile": "reporting" };
  expect((await database.rest("signatures", { as: "service", headers })).status).toBe(406);
});
