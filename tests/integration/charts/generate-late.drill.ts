import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import * as route from "../../../app/api/charts/[id]/route.ts";
import { addChart, addSignatures, postTo, setUpChartWorld } from "../../support/chart-world.ts";

// A chart that is really slow: the route gives up at its time limit, and the statement runs on and stores nothing. The limit is
// shorter here.

const limits = vi.hoisted(() => ({ response: 15_000, store: 14_000 }));
vi.mock("../../../lib/charts/store/time-limits.ts", () => ({ timeLimits: limits }));
vi.mock("../../../lib/auth/get-session.ts", () => import("../../support/caller.ts"));
vi.mock("../../../lib/permissions/route-permissions.ts", () => import("../../support/caller.ts"));

const short = { response: 2_000, store: 1_900 };

const { database, signIn } = await setUpChartWorld({ RATE_LIMIT_CHARTS: "1000" });
beforeAll(async () => {
  await database.sql("create table private.slowness (seconds numeric)");
  await database.sql("insert into private.slowness values (0)");
  await database.sql("grant select on private.slowness to service_role");
  await database.sql(`
      create function private.slowly() returns boolean language plpgsql as $$
      declare
        until constant timestamptz := clock_timestamp() + (select seconds from private.slowness) * interval '1 s';
      begin
        while clock_timestamp() < until loop null; end loop;
        return true;
      end $$`);
  await database.sql("grant execute on function private.slowly to service_role");
  await database.sql("create view reporting.slow as select s.* from reporting.signatures s where private.slowly()");
});
beforeEach(() => {
  signIn("ann");
  Object.assign(limits, { response: 15_000, store: 14_000 });
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

const slowness = (seconds: number) => database.sql("update private.slowness set seconds = $1", [seconds]);
const signedIn = async (county: string) => {
  await database.sql("delete from public.lines");
  await addSignatures(database, { counties: [county] });
};
const stored = async (id: string) =>
  (await database.sql("select to_jsonb(c) as chart from public.charts c where id = $1", [id]))[0];

async function post(id: string) {
  const beganAt = performance.now();
  const { status, text } = await postTo(route, { id });
  return { status, body: JSON.parse(text), took: performance.now() - beganAt };
}

const ended = () =>
  vi.waitFor(async () => {
    const running = `select from pg_stat_activity
      where state <> 'idle' and pid <> pg_backend_pid() and query like '%generate_chart%'`;
    expect(await database.sql(running)).toEqual([]);
  }, 30_000);

// A chart that was generated once, while it was fast.
async function generated() {
  await slowness(0);
  await signedIn("King");
  const id = await addChart(database, { source: "slow" });
  // A database that has just started can take longer than the route waits for it.
  const isQuick = async () => expect(await post(id)).toMatchObject({ status: 200, body: { rows: [{ key: "King" }] } });
  await vi.waitFor(isQuick, { timeout: 30_000 });
  const before = await stored(id);
  await signedIn("Pierce");
  return { id, before };
}

const late = { error: "This chart took longer than 15 seconds. Add a filter." };

test("a slow chart within the time limit is returned and stored", async () => {
  const { id, before } = await generated();
  await slowness(0.2);
  expect(await post(id)).toMatchObject({ status: 200 });
  expect(await stored(id)).not.toEqual(before);
});

test("504 at the time limit, and the statement stores nothing when it ends", async () => {
  const { id, before } = await generated();
  await slowness(4);
  Object.assign(limits, short);
  const result = await post(id);
  expect(result).toMatchObject({ status: 504, body: late });
  expect(result.took).toBeLessThan(4_000);
  await ended();
  expect(await stored(id)).toEqual(before);
});

// All ten connections are taken, or one has the chart locked.
test.each([
  ["its turn", 10, ""],
  ["the chart's lock", 1, "perform from public.charts for update;"],
])("504 also for a fast chart that has waited for %s", async (_, connections, lock) => {
  const { id, before } = await generated();
  Object.assign(limits, short);
  // They begin after the route has read the chart's place and the time.
  const fetchNow = globalThis.fetch;
  let held: Promise<unknown> | undefined;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    if (String(input).endsWith("/rpc/generate_chart")) {
      const hold = `
            do $$
            declare until constant timestamptz := clock_timestamp() + interval '4 s';
            begin
              ${lock}
              while clock_timestamp() < until loop perform pg_sleep(0.1); end loop;
            end $$`;
      held = Promise.all(Array.from({ length: connections }, () => database.sql(hold)));
      await new Promise((later) => setTimeout(later, 1_000)); // until they hold it
    }
    return fetchNow(input, init);
  });
  expect(await post(id)).toMatchObject({ status: 504, body: late });
  expect(held).toBeDefined();
  await held;
  await ended();
  expect(await stored(id)).toEqual(before);
});

test("the time limit follows the clock of the database, not of the application", async () => {
  const { id, before } = await generated();
  const hour = 3_600_000;
  try {
    vi.setSystemTime(Date.now() - hour); // the clock alone, no timer
    expect(await post(id)).toMatchObject({ status: 200 });
    const now = await stored(id);
    expect(now).not.toEqual(before);
    vi.setSystemTime(Date.now() + 2 * hour);
    await slowness(4);
    Object.assign(limits, short);
    expect(await post(id)).toMatchObject({ status: 504, body: late });
    await ended();
    expect(await stored(id)).toEqual(now);
  } finally {
    vi.useRealTimers();
  }
});

test("a call after its deadline stores nothing and answers “late”", async () => {
  const { id, before } = await generated();
  const call = { as: "service", body: { p_actor_id: null, p_id: id, p_deadline: "2026-01-01T00:00:00Z" } } as const;
  expect(await database.rest("rpc/generate_chart", call)).toEqual({ status: 200, body: { outcome: "late" } });
  expect(await stored(id)).toEqual(before);
});
