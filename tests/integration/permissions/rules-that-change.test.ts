import "next/dist/server/node-environment-baseline.js"; // before anything else of Next.js
import { expect, test, vi } from "vitest";
import { cachedByEpoch } from "../../../lib/permissions/cached-by-epoch.ts";
import { drainPending } from "../../../lib/permissions/invalidate.ts";
import { processWide } from "../../../lib/process-wide.ts";
import { drainedKey } from "../../../supabase/functions/_shared/permission-epochs.ts";
import { runAsRoute, startNextCache } from "../../support/next-cache.ts";
import { setUpRedis } from "../../support/redis.ts";
import { setUpEnv, setUpTestDatabase } from "../../support/test-database.ts";

// A deployment that changes the rules by a migration while the caches of Next.js and Redis stay.

const [database, { server, redis }, cache] = await Promise.all([setUpTestDatabase(), setUpRedis(), startNextCache()]);
setUpEnv({ ...(await database.serve()), REDIS_URL: server.url });

async function makeMember(name: string, status: string) {
  const { id } = await database.signUp(name);
  await database.sql("insert into public.teams (id, name) values ('north', 'North') on conflict do nothing");
  await database.sql(
    `insert into public.team_users (user_id, team_id, role_id, status)
     select $1, 'north', r.id, $2 from public.roles r where r.name = 'Administrator' and r.team_id is null`,
    [id, status],
  );
  return id;
}

// Reads like a page after a run of the schedule, which a busy database delays.
async function read(userId: string) {
  const isDrained = async () => {
    await drainPending("read");
    expect(await redis.exists(drainedKey)).toBe(1);
  };
  await vi.waitFor(isDrained, { timeout: 20_000 });
  processWide("permission-flights", () => new Map()).clear(); // what was computed is shared for a second
  return runAsRoute(cache, () =>
    cachedByEpoch({
      name: "permissions-snapshot",
      userId,
      keyParts: ["permissions-snapshot", userId, "north", ""],
      compute: async () => {
        const [row] = await database.sql<{ snapshot: { teamAccess: boolean } }>(
          "select public.permissions_snapshot($1, 'north', null) as snapshot",
          [userId],
        );
        return row?.snapshot.teamAccess;
      },
    }),
  );
}

test("access cached under the old rules is no longer used once a migration renews all permissions", async () => {
  const member = await makeMember("member", "active");
  expect(await read(member)).toBe(true);
  await database.sql(
    `create or replace function public.permissions_snapshot(p_user_id uuid, p_team_id text default null,
       p_campaign_id text default null) returns jsonb language sql as $$ select '{"teamAccess": false}'::jsonb $$`,
  );
  expect(await read(member)).toBe(true); // the cache doesn't notice the rule alone
  await database.sql("select private.renew_all_permissions()");
  expect(await read(member)).toBe(false);
});

test("members of any status have one pending change", async () => {
  await database.sql("delete from public.permission_changes");
  const members = [await makeMember("invited", "invited"), await makeMember("suspended", "suspended")];
  await database.sql("delete from public.permission_changes");
  await database.sql("select private.renew_all_permissions()");
  const pending = await database.sql<{ user_id: string }>("select user_id from public.permission_changes");
  expect(pending).toHaveLength(3);
  expect(pending.map(({ user_id }) => user_id)).toEqual(expect.arrayContaining(members));
});
