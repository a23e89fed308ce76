import "next/dist/server/node-environment-baseline.js"; // before anything else of Next.js
import { expect, test, vi } from "vitest";
import { cachedByEpoch } from "../../../lib/permissions/cached-by-epoch.ts";
import { drainPending } from "../../../lib/permissions/invalidate.ts";
import { processWide } from "../../../lib/process-wide.ts";
import { drainedKey, epochKey } from "../../../supabase/functions/_shared/permission-epochs.ts";
import { runAsRoute, startNextCache } from "../../support/next-cache.ts";
import { setUpRedis } from "../../support/redis.ts";
import { setUpEnv, setUpTestDatabase } from "../../support/test-database.ts";

// Access that ends, with real caches. PostgreSQL and Redis have the clock of this machine.

const [database, { server, redis }, cache] = await Promise.all([setUpTestDatabase(), setUpRedis(), startNextCache()]);
setUpEnv({ ...(await database.serve()), REDIS_URL: server.url });
await database.sql("insert into public.teams (id, name) values ('north', 'North')");
await database.sql("insert into public.campaigns (id, name, team_id) values ('lakes', 'Lakes', 'north')");

/** A member of the team whose access ends in so many ms; in the campaign alone, if that is said. */
async function makeMember(name: string, endsInMs: number, table: "team_users" | "campaign_user_roles_team") {
  const { id } = await database.signUp(name);
  const ends = (target: string) => (target === table ? "clock_timestamp() + $2 * interval '1 ms'" : "null");
  await database.sql(
    `with member as (
       insert into public.team_users (user_id, team_id, role_id, status, ends_at)
       select $1, 'north', r.id, 'active', ${ends("team_users")} from public.roles r
       where r.name = 'Member' and r.team_id is null and $2::int > 0 returning *
     )
     insert into public.campaign_user_roles_team (user_id, team_id, campaign_id, role_id, ends_at)
     select user_id, team_id, 'lakes', role_id, ${ends("campaign_user_roles_team")} from member`,
    [id, endsInMs],
  );
  return id;
}

async function endOf(userId: string, table: string) {
  const [row] = await database.sql<{ ms: number }>(
    `select (extract(epoch from ends_at) * 1000)::float8 as ms from public.${table} where user_id = $1`,
    [userId],
  );
  return row?.ms ?? 0;
}

const drained = () => vi.waitFor(() => drainPending("read"), { timeout: 20_000 }); // the first takes long on a busy machine
/** When the lease ends; null without one. */
async function leaseEnd() {
  const script = "return { redis.call('PTTL', KEYS[1]), redis.call('TIME') }";
  const [left, [seconds, micros]] = (await redis.eval(script, 1, drainedKey)) as [number, [string, string]];
  return left < 0 ? null : left + Number(seconds) * 1000 + Number(micros) / 1000;
}

const tables = ["team_users", "campaign_user_roles_team"] as const;
test.each(tables.flatMap((table) => [40, 900, 5_000, 7_990, 60_000].map((ms) => [table, ms] as const)))(
  "the lease never outlives an end: %s in %i ms",
  async (table, ms) => {
    await drained();
    const member = await makeMember(`${table}-${ms}`, ms, table);
    const end = await endOf(member, table);
    for (let round = 0; round < 3; round++) {
      await drained();
      const lease = await leaseEnd();
      if (lease !== null && Date.now() < end) expect(lease).toBeLessThanOrEqual(end + 1);
    }
    await database.sql("delete from public.team_users where user_id = $1", [member]);
  },
);

test.each([
  ["team_users", "status = 'active'"],
  ["campaign_user_roles_team", "true"],
] as const)(
  "cached access ends with its row of %s, which is then suspended or removed, made pending and logged",
  async (table, isThere) => {
    await drained();
    const member = await makeMember(`ending-${table}`, 1_500, table);
    const end = await endOf(member, table);
    await drained();
    const epoch = await redis.get(epochKey(member));
    const read = () => {
      processWide("permission-flights", () => new Map()).clear(); // what was computed is shared for a second
      return runAsRoute(cache, () =>
        cachedByEpoch({
          name: "permissions-snapshot",
          userId: member,
          keyParts: ["permissions-snapshot", member, "north", "lakes"],
          compute: async () => {
            const [row] = await database.sql<{ snapshot: { campaignAccess: boolean } }>(
              "select public.permissions_snapshot($1, 'north', 'lakes') as snapshot",
              [member],
            );
            return row?.snapshot.campaignAccess;
          },
        }),
      );
    };
    expect(await read()).toBe(true);
    await vi.waitFor(
      async () => {
        const requestedAt = Date.now();
        const result = await read();
        if (requestedAt > end) expect(result).toBe(false);
        expect(requestedAt).toBeGreaterThan(end);
      },
      { timeout: 10_000, interval: 20 },
    );
    await drained();
    expect(await read()).toBe(false);
    expect(await redis.get(epochKey(member))).not.toBe(epoch);
    expect(await database.sql(`select 1 from public.${table} where user_id = $1 and ${isThere}`, [member])).toEqual([]);
    const [logged] = await database.sql(
      "select actor_id, table_name, before ->> 'ends_at' is not null as ended from public.audit_log where subject_id = $1 order by id desc limit 1",
      [member],
    );
    expect(logged).toEqual({ actor_id: null, table_name: table, ended: true });
  },
);

test("the schedule has work as soon as access is due, and none after", async () => {
  await drained();
  const hasWork = async () =>
    (await database.sql<{ work: boolean }>("select private.has_permission_work() as work"))[0]?.work;
  expect(await hasWork()).toBe(false);
  await makeMember("due", 1, "team_users");
  await drained();
  await vi.waitFor(async () => {
    await drained();
    expect(await hasWork()).toBe(false);
  });
});
