import { beforeAll, expect, test } from "vitest";
import { setUpTestDatabase } from "../../support/test-database.ts";

// A function of the database gets the JSON as it was sent, as on Supabase.

const database = await setUpTestDatabase();
beforeAll(async () => {
  await database.sql(`
      create function public.echo(p_one jsonb, p_other json, p_text text) returns jsonb language sql
      as $$ select jsonb_build_array(p_one, p_other, p_text) $$`);
  await database.sql("grant execute on function public.echo to service_role");
});

test.each([
  [{ a: 1, b: [true, null, "x"], c: { "": "'" } }],
  [[]],
  [[{ a: 1 }, "two", 3]],
  [7.25],
  [true],
  ["a text"],
  [""],
  ['"quoted"'],
  ["[1]"],
  ['{"a": 1}'],
  ["null"],
])("%j arrives unchanged", async (value) => {
  const body = { p_one: value, p_other: value, p_text: "[1]" };
  const { status, body: response } = await database.rest("rpc/echo", { as: "service", body });
  expect({ status, answer: response }).toEqual({ status: 200, answer: [value, value, "[1]"] });
});

test("null arrives as null", async () => {
  const body = { p_one: null, p_other: null, p_text: null };
  expect((await database.rest("rpc/echo", { as: "service", body })).body).toEqual([null, null, null]);
});

test("the JSON of a row is stored as it was sent", async () => {
  await database.sql("insert into public.teams (id, name) values ('north', 'North')");
  const written = { metrics: [{ key: "n", aggregation: "count" }], filters: [], data: { rows: ["1"] } };
  const result = await database.rest("charts?select=metrics,filters,data", {
    as: "service",
    body: { team_id: "north", name: "A", kind: "bar", source: "signatures", ...written },
    headers: { prefer: "return=representation" },
  });
  expect(result).toEqual({ status: 201, body: [written] });
});
