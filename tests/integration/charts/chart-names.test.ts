import { expect, test } from "vitest";
import { addChart, setUpChartWorld } from "../../support/chart-world.ts";

// The names of charts in the palette.

const { database, person } = await setUpChartWorld();

const read = async (name: string) => {
  const { body } = await database.rest("rpc/chart_names", { as: "service", body: { p_actor_id: person(name).id } });
  return body;
};

test("are those of charts that a person may see, and nobody's others take their room", async () => {
  const [lakes, south, whole] = [
    await addChart(database),
    await addChart(database, { team_id: "south" }),
    await addChart(database, { campaign_id: null }),
  ];
  const gone = await addChart(database);
  await database.sql("update public.charts set name = 'All of north' where id = $1", [whole]);
  await database.sql("update public.charts set deleted_at = now() where id = $1", [gone]);
  const here = { team: "north", campaign: "lakes", id: lakes, name: "By county" };
  expect(await read("ann")).toEqual([{ ...here, campaign: null, id: whole, name: "All of north" }, here]);
  expect(await read("dan")).toEqual([{ team: "south", campaign: "lakes", id: south, name: "By county" }]);
  for (const name of ["cleo", "eve"]) expect(await read(name), name).toEqual([]);

  await database.sql(
    `insert into public.charts (team_id, campaign_id, name, kind, source)
     select 'north', 'rivers', 'A chart', 'bar', 'signatures' from generate_series(1, 1100)`,
  );
  expect(await read("ben")).toEqual([here]);
  expect(await read("ann")).toHaveLength(1000);
});
