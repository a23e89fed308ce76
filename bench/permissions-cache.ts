// Measures how soon a revoke takes effect, how long a revoke for 10,000 users takes, and the delay that a hanging Redis
// adds.
import "./support/load-application-code.ts";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { serve } from "@hono/node-server";
import { createClient } from "@supabase/supabase-js";
import { Redis } from "ioredis";
import { z } from "zod";
import { median } from "../harness/measure.ts";
import { readMemberForm } from "../harness/member-form.ts";
import { ownEnvironment } from "../harness/own-environment.ts";
import { startRedis } from "../harness/redis-server.ts";
import { atEnd, root, runBench, sized, stopChild } from "../harness/run-bench.ts";
import { type Instances, startTwoInstances } from "../harness/two-instances.ts";
import { buildIfStale } from "../scripts/local-stack/build.ts";
import { openDatabase } from "../scripts/local-stack/open-database.ts";
import { freePort } from "../scripts/local-stack/ports.ts";
import { startTemporaryPostgres } from "../scripts/local-stack/postgres-server.ts";
import { drainPermissionChanges } from "../supabase/functions/_shared/drain-permission-changes.ts";
import { markDrained, readClock, renewEpochs } from "../supabase/functions/_shared/permission-epochs.ts";
import { randomKeys } from "./support/random-keys.ts";

const guardedPath = "/riverside/campaign/clean-water";
const shownToMembers = "Your permissions";
const holderCount = sized(10_000, 200); // of the revoked role

const addHolders = [
  "insert into public.teams (id, name) values ('bench', 'Bench')",
  `insert into auth.users (id, email)
   select md5('user' || n)::uuid, 'user-' || n || '@people.test' from generate_series(1, ${holderCount}) n`,
  `insert into public.team_users (user_id, team_id, role_id, status)
   select md5('user' || n)::uuid, 'bench', r.id, 'active'
   from generate_series(1, ${holderCount}) n join public.roles r on r.name = 'Field team'`,
];
const grantToAll = `insert into public.role_p_sets (role_id, permission_set_id)
  select r.id, s.id from public.roles r, public.permission_sets s
  where r.name = 'Field team' and s.name = 'Voter search' on conflict do nothing`;
const revokeFromAll = `delete from public.role_p_sets b using public.roles r
  where r.id = b.role_id and r.name = 'Field team'`;

type Person = { userId: string; cookie: string };
type Counts = { commands: number; reads: number };

await runBench(async () => {
  await buildIfStale();
  const instances = await startTwoInstances();
  atEnd(() => instances.stop());
  const canvasser = await instances.stack.signIn("canvasser@demo.test");
  const admin = await instances.stack.signIn("admin@demo.test");
  await measureRevokes(instances, "one instance", { admin, canvasser, acting: 0, reading: 0 });
  await measureRevokes(instances, "two instances", { admin, canvasser, acting: 0, reading: 1 });
  await measureRedisOutage(instances, canvasser);
  await measureRevokeOfMany();
});

// ── From a revoke to its first refusal ─────────────────────────────────────────────────────────────────────────────

// Requests the page continuously while the action runs, and once more after its response.
async function measureRevokes(
  instances: Instances,
  title: string,
  { admin, canvasser, acting, reading }: { admin: Person; canvasser: Person; acting: number; reading: number },
) {
  const setStatus = await memberStatusForm(instances, { admin, userId: canvasser.userId, instance: acting });
  const sinceSendingMs: number[] = [];
  const sinceResponseMs: number[] = [];
  let lateAllowedReads = 0;
  const endsAt = performance.now() + 150_000;
  while (sinceSendingMs.length < sized(200, 3) && performance.now() < endsAt) {
    await waitUntilCached(instances, canvasser, reading);
    let respondedAt = Number.POSITIVE_INFINITY;
    let refusedAt = Number.POSITIVE_INFINITY;
    const sentAt = performance.now();
    const readUntilResponse = async () => {
      while (respondedAt === Number.POSITIVE_INFINITY) {
        if ((await read(instances, canvasser, reading)) === "no") refusedAt = Math.min(refusedAt, performance.now());
      }
    };
    const suspendAndRead = async () => {
      await setStatus("suspended");
      respondedAt = performance.now();
      while ((await read(instances, canvasser, reading)) === "yes") lateAllowedReads += 1;
      sinceResponseMs.push(performance.now() - respondedAt);
      refusedAt = Math.min(refusedAt, performance.now());
    };
    await Promise.all([readUntilResponse(), suspendAndRead()]);
    sinceSendingMs.push(refusedAt - sentAt);
    await setStatus("active");
  }

  console.log(`\nRevoke by a server action, ${title} (${sinceSendingMs.length} revokes)`);
  printTimes("sending the action to a refused read", sinceSendingMs);
  printTimes("its answer to a refused read", sinceResponseMs);
  if (lateAllowedReads > 0) throw new Error(`${lateAllowedReads} reads begun after the answer said yes.`);
  console.log("  no read begun after the answer said yes");
}

// The form of the member's page as a browser without JavaScript sends it. It is refused if the member already has the
// status.
async function memberStatusForm(
  { url }: Instances,
  { admin, userId, instance }: { admin: Person; userId: string; instance: number },
) {
  const address = `${url(instance)}/riverside/members/${userId}`;
  const html = await (await fetch(address, { headers: { cookie: admin.cookie } })).text();
  const formFor = readMemberForm(html, userId);
  return async (status: "active" | "suspended") => {
    const headers = { cookie: admin.cookie, origin: url(instance) };
    const result = await (await fetch(address, { method: "POST", headers, body: formFor(status) })).text();
    if (!result.includes(status === "active" ? "Reactivated." : "Suspended.")) {
      const message = /<p class="text-sm">([^<]*)/.exec(result)?.[1] ?? result.slice(0, 500);
      throw new Error(`The action did not set the status ${status}: ${message}`);
    }
  };
}

async function read(instances: Instances, person: Person, instance: number): Promise<"yes" | "no"> {
  const response = await fetch(`${instances.url(instance)}${guardedPath}`, {
    headers: { cookie: person.cookie },
    redirect: "manual",
  });
  const body = await response.text();
  if (response.status === 200 && body.includes(shownToMembers)) return "yes";
  if (response.status === 307 && response.headers.get("location") === "/") return "no";
  throw new Error(`The page answered ${response.status}: ${body.slice(0, 200)}`);
}

// Reads until a read needs no call of the snapshot function.
async function waitUntilCached(instances: Instances, person: Person, instance: number) {
  for (let attempt = 0; attempt < 500; attempt++) {
    const before = instances.proxy.calls;
    if ((await read(instances, person, instance)) === "yes" && instances.proxy.calls === before) return;
    await wait(10);
  }
  throw new Error("The page is not cached.");
}

// ── Redis unreachable ─────────────────────────────────────────────────────────────────────────────────────────────────────

// Nothing waits for a killed Redis: the page takes as long as the calls of the function.
async function measureRedisOutage(instances: Instances, canvasser: Person) {
  const timeRead = async () => {
    const startedAt = performance.now();
    await read(instances, canvasser, 0);
    return performance.now() - startedAt;
  };
  const times = {
    cached: [] as number[],
    killed: { first: [] as number[], following: [] as number[] },
    frozen: { first: [] as number[], following: [] as number[] },
    backAfter: { short: [] as number[], long: [] as number[] },
  };
  const measureOutage = async (how: "killed" | "frozen") => {
    times[how].first.push(await timeRead());
    for (let again = 0; again < 8; again++) times[how].following.push(await timeRead());
  };
  const measureReturn = async (after: "short" | "long") => {
    instances.redis.thaw();
    const thawedAt = performance.now();
    await waitUntilCached(instances, canvasser, 0);
    times.backAfter[after].push(performance.now() - thawedAt);
  };

  const endsAt = performance.now() + 16_000;
  for (let round = 0; round < sized(12, 1) && performance.now() < endsAt; round++) {
    await waitUntilCached(instances, canvasser, 0);
    for (let again = 0; again < 4; again++) times.cached.push(await timeRead());
    instances.redis.freeze();
    await measureOutage("frozen");
    await measureReturn("short");
    await instances.redis.stop();
    await measureOutage("killed");
    await instances.redis.start();
    await instances.stack.invalidate();
  }
  // Long enough for `permissions:drained` to expire, so that pending changes are processed before anything is cached.
  for (let round = 0; round < sized(2, 0); round++) {
    await waitUntilCached(instances, canvasser, 0);
    instances.redis.freeze();
    await wait(9_000);
    await measureReturn("long");
  }

  const { cached, killed, frozen, backAfter } = times;
  console.log(`\nA guarded page while Redis is unreachable (${frozen.first.length} interleaved rounds)`);
  printTimes("Redis healthy, page cached", cached);
  printTimes("Redis killed: first request", killed.first);
  printTimes("Redis killed: following", killed.following);
  printTimes("Redis frozen: first request", frozen.first);
  printTimes("Redis frozen: following", frozen.following);
  const uncached = median(killed.following);
  const first = median(frozen.first) - uncached;
  const following = median(frozen.following) - uncached;
  console.log(`  freezing adds to the first request ${first.toFixed(0)} ms   expected: at most 300`);
  console.log(`  freezing adds to the following ${following.toFixed(0)} ms   expected: at most 20`);
  printTimes("thawed after a moment: until cached", backAfter.short, "less than 5000");
  printTimes("thawed after 9 s: until cached", backAfter.long, "less than 5000");
}

// ── A revoke of a role that many hold ──────────────────────────────────────────────────────────────────────────────

async function measureRevokeOfMany() {
  const keys = randomKeys();
  const { url, stop } = await startTemporaryPostgres();
  atEnd(stop);
  const database = await openDatabase({ url, keys });
  for (const statement of addHolders) await database.sql(statement);
  const supabaseUrl = await new Promise<string>((listening) => {
    const server = serve({ fetch: database.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) =>
      listening(`http://127.0.0.1:${port}`),
    );
    atEnd(() => server.close());
  });
  const { url: redisUrl, close } = await startRedis();
  atEnd(close);
  const redis = new Redis(redisUrl);
  atEnd(() => redis.disconnect());
  const connections = { supabaseUrl, redisUrl, secretKey: keys.secret };
  const variants = [
    { name: "invalidate-permissions on Deno", drain: await drainByFunction(connections) },
    { name: "drainPermissionChanges in Node", drain: await drainInNode(connections) },
  ].map((variant) => ({
    ...variant,
    change: [] as number[],
    total: [] as number[],
    counts: { commands: 0, reads: 0 },
    failed: 0,
  }));

  const rounds = sized(5, 1);
  for (let round = -1; round < rounds; round++) {
    for (const variant of variants) {
      await database.sql(grantToAll);
      await database.sql("truncate public.permission_changes");
      await redis.flushall();

      const before = await readCounts(redis);
      const startedAt = performance.now();
      await database.sql(revokeFromAll);
      const changedAt = performance.now();
      variant.failed += await drainWithRetries(variant.drain);
      const drainedAt = performance.now();
      const after = await readCounts(redis);

      const [left] = await database.sql<{ pending: number }>(
        "select count(*)::int as pending from public.permission_changes",
      );
      const renewed = (await redis.keys("permissions:epoch:*")).length;
      if (left?.pending !== 0 || renewed !== holderCount)
        throw new Error(`${variant.name}: ${renewed} renewed, ${left?.pending} left`);
      if (round < 0) continue; // connects and compiles
      variant.change.push(changedAt - startedAt);
      variant.total.push(drainedAt - startedAt);
      // The command that reads these counts isn't counted.
      variant.counts = { commands: after.commands - before.commands - 1, reads: after.reads - before.reads - 1 };
    }
  }

  console.log(`\nRevoke by SQL of a role with ${holderCount} holders, drained at once (${rounds} interleaved runs)`);
  for (const { name, change, total, counts, failed } of variants) {
    printTimes(name, total);
    printTimes("  of which the SQL with its pending changes", change);
    console.log(`    ${counts.commands} commands in ${counts.reads} reads of Redis: at most as many round trips`);
    console.log(`    drains that failed and were retried: ${failed}   expected: 0`);
  }
}

// If a drain fails, the pending changes stay for the next one. Returns how many failed.
async function drainWithRetries(drain: () => Promise<void>) {
  for (let failed = 0; ; failed++) {
    try {
      await drain();
      return failed;
    } catch (error) {
      if (failed === 20) throw error;
      await wait(250);
    }
  }
}

type Connections = { supabaseUrl: string; redisUrl: string; secretKey: string };

async function drainByFunction({ supabaseUrl, redisUrl, secretKey }: Connections) {
  const port = await freePort();
  const args = ["--allow-net", "--allow-env", "--allow-read", join(root, "scripts/local-stack/serve-functions.ts")];
  const deno = spawn(join(root, "node_modules/.bin/deno"), ["run", ...args], {
    env: {
      ...ownEnvironment,
      PORT: String(port),
      REDIS_URL: redisUrl,
      SUPABASE_URL: supabaseUrl,
      SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: secretKey }),
      SUPABASE_SECRET_KEYS: JSON.stringify({ default: secretKey }),
    },
    stdio: ["pipe", "ignore", "ignore"],
  });
  atEnd(() => stopChild(deno));
  const call = () =>
    fetch(`http://127.0.0.1:${port}/invalidate-permissions`, { method: "POST", headers: { apikey: secretKey } });
  for (let attempt = 0; attempt < 200 && !(await call().catch(() => undefined)); attempt++) await wait(100);
  return async () => {
    for (let left = true; left; ) {
      const response = await call();
      if (response.status !== 200) throw new Error(`The function answered ${response.status}.`);
      left = z.object({ left: z.boolean() }).parse(await response.json()).left;
    }
  };
}

// Drains like a server action, with the application's own Redis client.
async function drainInNode({ supabaseUrl, redisUrl, secretKey }: Connections) {
  process.env.REDIS_URL = redisUrl;
  const { withRedis } = await import("../lib/redis.ts");
  const supabase = createClient(supabaseUrl, secretKey, { auth: { persistSession: false, autoRefreshToken: false } });
  const call = async (name: string, body: object): Promise<unknown> => {
    const { data, error } = await supabase.rpc(name, body);
    if (error) throw error;
    return data;
  };
  const pending = z.object({ ids: z.array(z.number()), userIds: z.array(z.string()), endsInMs: z.number().nullable() });
  return async () => {
    await drainPermissionChanges({
      readClock: () => withRedis(readClock),
      readPending: async (limit) => pending.parse(await call("pending_permission_changes", { p_limit: limit })),
      renewEpochs: (userIds) => withRedis((redis) => renewEpochs(redis, userIds), { within: 5_000 }),
      deletePending: async (ids) => void (await call("delete_permission_changes", { p_ids: ids })),
      markDrained: (since, endsInMs) => withRedis((redis) => markDrained(redis, since, endsInMs)),
    });
  };
}

async function readCounts(redis: Redis): Promise<Counts> {
  const info = await redis.info("stats");
  const value = (name: string) => Number(new RegExp(`${name}:(\\d+)`).exec(info)?.[1]);
  return { commands: value("total_commands_processed"), reads: value("total_reads_processed") };
}

function printTimes(name: string, times: number[], expected?: string) {
  if (times.length === 0) return;
  const [middle, worst] = [median(times), Math.max(...times)].map((time) => `${time.toFixed(0).padStart(7)} ms`);
  console.log(`  ${name.padEnd(40)} median${middle}, worst${worst}${expected ? `   expected: ${expected}` : ""}`);
}
