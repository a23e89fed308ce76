// The CPU time of one call of an edge function on real Deno, Redis and PostgreSQL: Supabase ends a call after 2 s of it.
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { drainedKey } from "../../../supabase/functions/_shared/permission-epochs.ts";
import { signersKey } from "../../../supabase/functions/_shared/signers.ts";
import { setUpRedis } from "../../support/redis.ts";
import { functionSettings, startFunctions } from "../../support/start-functions.ts";
import { setUpTestDatabase } from "../../support/test-database.ts";

const million = 1_000_000;
const campaigns = 300;
const maxCpuMs = 1_000;

const answerSchema = z.object({
  left: z.union([z.boolean(), z.object({ campaigns: z.number(), changes: z.number() })]),
});

const [database, { server, redis }] = await Promise.all([setUpTestDatabase(), setUpRedis()]);
const served = await database.serve();
const functions = await startFunctions({
  REDIS_URL: server.url,
  ...functionSettings(served),
});
afterAll(functions.stop);
await database.sql("insert into public.teams (id, name) values ('north', 'North')");

async function call(name: string) {
  const before = functions.cpuTimeMs();
  const headers = { apikey: served.SUPABASE_SECRET_KEY };
  const response = await fetch(`${functions.url}/${name}`, { method: "POST", headers });
  const { left } = answerSchema.parse(await response.json());
  const isLeft = typeof left === "boolean" ? left : left.campaigns + left.changes > 0;
  return { cpu: functions.cpuTimeMs() - before, isLeft };
}

async function untilNothingIsLeft(name: string, what: string) {
  const costs: number[] = [];
  for (let isLeft = true; isLeft; ) {
    const { cpu, ...response } = await call(name);
    costs.push(cpu);
    isLeft = response.isLeft;
    if (costs.length > 1_000) throw new Error("It doesn't end.");
  }
  const sum = costs.reduce((total, other) => total + other);
  console.log(`${what}: ${costs.length} calls, ${Math.max(...costs)} ms of CPU at most, ${sum} in all`);
  expect(Math.max(...costs)).toBeLessThan(maxCpuMs);
}

// The triggers are off: they would make each line pending.
const insertLines = (select: string) =>
  database.sql(`
    with quiet as materialized (select set_config('session_replication_role', 'replica', true))
    insert into public.lines (team_id, campaign_id, verdict, voter_id, change_number)
    select 'north', l.campaign, 'accepted', l.voter, l.number from quiet, (${select}) l (campaign, voter, number)`);

test("the first build of 300 campaigns", async () => {
  await database.sql(
    `insert into public.campaigns (id, name, team_id) select 'c' || n, 'C' || n, 'north' from generate_series(1, ${campaigns}) n`,
  );
  await insertLines(
    `select 'c' || c, 'WA' || v, c * 100 + v from generate_series(1, ${campaigns}) c, generate_series(1, 100) v`,
  );
  await untilNothingIsLeft("sync-signers", "300 campaigns");
  for (let n = 1; n <= campaigns; n++) expect(await redis.scard(signersKey(`c${n}`))).toBe(100);
}, 300_000);

test("the first build of a campaign with a million signers", async () => {
  await database.sql("insert into public.campaigns (id, name, team_id) values ('million', 'Million', 'north')");
  await insertLines(`select 'million', 'WA' || (10000000 + v), v from generate_series(1, ${million}) v`);
  await untilNothingIsLeft("sync-signers", "a million signers");
  expect(await redis.scard(signersKey("million"))).toBe(million);
}, 600_000);

test("a hundred thousand pending changes of lines changed outside of the application", async () => {
  await database.sql(
    `insert into public.signer_changes (campaign_id, voter_id, change_number)
   select 'million', 'WA' || (10000000 + v), ${million} + v from generate_series(1, 100000) v`,
  );
  await untilNothingIsLeft("sync-signers", "a hundred thousand pending changes");
  expect(await redis.scard(signersKey("million"))).toBe(million);
}, 600_000);

test("a hundred thousand people whose permissions changed outside of the application", async () => {
  await database.sql(
    "insert into public.permission_changes (user_id) select gen_random_uuid() from generate_series(1, 100000)",
  );
  await untilNothingIsLeft("invalidate-permissions", "a hundred thousand people");
  expect(await redis.exists(drainedKey)).toBe(1);
}, 300_000);
