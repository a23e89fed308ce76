// What the duplicate route costs: against the same route that answers a constant after guard and parsing, against one that
// asks the database, for one voter and for 500; and what a million signers take in Redis.
//
// The other two are the same application with the two verbs replaced, so that they answer the same requests.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createClient } from "@supabase/supabase-js";
import { Redis } from "ioredis";
import { z } from "zod";
import { buildIfStale } from "../scripts/local-stack/build-if-stale.ts";
import { freePort } from "../scripts/local-stack/ports.ts";
import { cookieHeader, sessionCookies } from "../scripts/local-stack/session-cookies.ts";
import type { Database } from "../supabase/functions/_shared/database.ts";
import { signersKey } from "../supabase/functions/_shared/signers.ts";
import { ownEnvironment } from "../tests/support/own-environment.ts";
import { buildAltered, nextBin } from "./support/altered-build.ts";
import { startStackForBench } from "./support/started-stack.ts";

const campaignId = "clean-water";
const signers = 12_000;
const rounds = 12;
const longest = 90_000; // ms
const atOnce = 8;
const million = 1_000_000;

const voterId = (number: number) => `BN${String(number).padStart(8, "0")}`;

// Chosen by the environment, as both need the same build.
const hasSigner = `
import { hasSigners } from "@/lib/signers/has-signers";

export async function hasSigner({ campaignId, voterId }: { campaignId: string; voterId: string }) {
  return (await hasSigners({ campaignId, voterIds: [voterId] })).get(voterId) === true;
}
`;
const hasSigners = `
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

export async function hasSigners({ campaignId, voterIds }: { campaignId: string; voterIds: string[] }) {
  if (process.env["BENCH_ANSWERS"] === "constant") return new Map(voterIds.map((voterId) => [voterId, true]));
  const query = createAdminClient().from("lines").select("voter_id").eq("campaign_id", campaignId);
  const found = unwrap(await query.in("voter_id", voterIds).eq("verdict", "accepted").is("removed_at", null)) as { voter_id: string }[];
  const live = new Set(found.map(({ voter_id }) => voter_id));
  return new Map(voterIds.map((voterId) => [voterId, live.has(voterId)]));
}
`;

process.chdir(resolve(import.meta.dirname, ".."));
const endings: (() => unknown)[] = [];
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.once(signal, () => void end().then(() => process.exit(1)));
buildIfStale();
const altered = buildAltered({ "lib/signers/has-signer.ts": hasSigner, "lib/signers/has-signers.ts": hasSigners });
endings.push(altered.remove);
const stack = await startStackForBench();
endings.push(() => stack.stop());
const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
try {
  const redis = new Redis(stack.env.REDIS_URL ?? "");
  endings.push(() => redis.disconnect());
  await fill(redis);
  await measureRoutes();
  await measureMemory(redis);
} finally {
  await end();
}
process.exit();

async function end() {
  for (const ending of endings.splice(0).toReversed()) await ending();
}

// Signers have even numbers, in the table and in the set.
async function fill(redis: Redis) {
  const supabase = createClient<Database>(
    stack.env.NEXT_PUBLIC_SUPABASE_URL ?? "",
    stack.env.SUPABASE_SECRET_KEY ?? "",
  );
  for (let from = 0; from < signers; from += 1_000) {
    const voterIds = Array.from({ length: 1_000 }, (_, offset) => voterId(2 * (from + offset)));
    const rows = voterIds.map((voter_id) => ({
      team_id: "riverside",
      campaign_id: campaignId,
      verdict: "accepted",
      voter_id,
    }));
    const { error } = await supabase.from("lines").insert(rows);
    if (error) throw error;
    await redis.sadd(signersKey(campaignId), voterIds);
  }
}

async function measureRoutes() {
  const cookies = await sessionCookies({
    supabaseUrl: stack.env.NEXT_PUBLIC_SUPABASE_URL ?? "",
    publishableKey: stack.env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY ?? "",
    email: "clerk@demo.test",
  });
  const cookie = cookieHeader(cookies);
  const ways = [
    { name: "the set in Redis", url: await startApp(".", "set") },
    { name: "a constant", url: await startApp(altered.folder, "constant") },
    { name: "a query of the table", url: await startApp(altered.folder, "sql") },
  ];
  const kinds = [
    { path: "/api/duplicate", voters: 1, requests: 160 },
    { path: "/api/duplicate/batch", voters: 500, requests: 48 },
  ];
  for (const { path, voters, requests } of kinds) {
    const measured = ways.map((way) => ({ ...way, rates: [] as number[], times: [] as number[] }));
    const ask = (way: (typeof ways)[number]) => askOne({ url: `${way.url}${path}`, cookie, voters, name: way.name });
    const endsAt = performance.now() + longest;
    for (let round = -1; round < rounds && performance.now() < endsAt; round++) {
      for (const way of round % 2 === 0 ? measured : measured.toReversed()) {
        const beganAt = performance.now();
        const times = await load(() => ask(way), requests);
        if (round < 0) continue; // compiles and fills the cache
        way.rates.push((requests / (performance.now() - beganAt)) * 1000);
        way.times.push(...times);
      }
    }

    const [set, constant, sql] = measured.map(({ rates }) => rates);
    console.log(
      `\n${path}, ${voters} voter${voters > 1 ? "s" : ""}, ${atOnce} requests at once (medians of ${set?.length} interleaved rounds)`,
    );
    for (const { name, rates, times } of measured) {
      const shown = [at(rates, 0.5), at(times, 0.5), at(times, 0.95)].map((value) => value.toFixed(1).padStart(8));
      console.log(`  ${name.padEnd(24)}${shown[0]} requests/s   median${shown[1]} ms, p95${shown[2]} ms`);
    }
    const ratio = (others: number[] = []) =>
      at(
        (set ?? []).map((rate, round) => rate / (others[round] ?? Number.NaN)),
        0.5,
      );
    console.log(`  requests/s against the constant ${ratio(constant).toFixed(2)}   expected: at least 0.7`);
    console.log(`  requests/s against the query ${ratio(sql).toFixed(2)}   expected: more than 1`);
  }
}

async function askOne({ url, cookie, voters, name }: { url: string; cookie: string; voters: number; name: string }) {
  const first = Math.floor(Math.random() * 2 * signers);
  const asked = Array.from({ length: voters }, (_, offset) => first + offset);
  const voterIds = asked.map(voterId);
  const body = voters === 1 ? { campaignId, voterId: voterIds[0] } : { campaignId, voterIds };
  const answer = await post(url, cookie, JSON.stringify(body));
  const { exists } = z.object({ exists: z.union([z.boolean(), z.record(z.string(), z.boolean())]) }).parse(answer);
  if (name === "a constant") return;
  const isSigner = (number: number) => number % 2 === 0 && number < 2 * signers;
  const right = asked.every(
    (number) => (typeof exists === "boolean" ? exists : exists[voterId(number)]) === isSigner(number),
  );
  if (!right) throw new Error(`${name} gave a wrong answer.`);
}

function post(url: string, cookie: string, body: string) {
  return new Promise<unknown>((done, fail) => {
    const headers = { cookie, "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const sent = request(url, { method: "POST", agent, headers }, async (answer) => {
      const text = Buffer.concat(await answer.toArray()).toString();
      if (answer.statusCode === 200) done(JSON.parse(text));
      else fail(new Error(`${url} answered ${answer.statusCode}: ${text}`));
    });
    sent.once("error", fail);
    sent.end(body);
  });
}

async function load(run: () => Promise<void>, requests: number) {
  const times: number[] = [];
  let left = requests;
  const worker = async () => {
    while (left-- > 0) {
      const startedAt = performance.now();
      await run();
      times.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return times;
}

async function startApp(folder: string, answers: string) {
  const port = await freePort(3230);
  const url = `http://localhost:${port}`;
  const app = spawn(process.execPath, [nextBin, "start", "-p", String(port)], {
    cwd: folder,
    env: { ...ownEnvironment, ...stack.env, SITE_URL: url, NEXT_TELEMETRY_DISABLED: "1", BENCH_ANSWERS: answers },
    stdio: ["ignore", "ignore", "inherit"],
  });
  endings.push(() => stop(app));
  for (let attempt = 0; attempt < 200; attempt++) {
    const answer = await fetch(`${url}/login`).catch(() => undefined);
    if (answer?.ok) return url;
    await wait(100);
  }
  throw new Error(`The application in ${folder} did not start.`);
}

async function stop(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

async function measureMemory(redis: Redis) {
  console.log("\nMemory of a set of a million signers, with all of its members counted");
  const kinds: [string, (number: number) => string][] = [
    ["ids of 10 characters", voterId],
    ["ids of 36 characters", () => crypto.randomUUID()],
    ["ids of 64 characters", (number) => voterId(number).padEnd(64, "x")],
  ];
  for (const [name, idOf] of kinds) {
    const key = signersKey("bench-memory");
    for (let from = 0; from < million; from += 10_000) {
      await redis.sadd(
        key,
        Array.from({ length: 10_000 }, (_, offset) => idOf(from + offset)),
      );
    }
    const bytes = Number(await redis.memory("USAGE", key, "SAMPLES", 0));
    console.log(
      `  ${name.padEnd(24)}${(bytes / 1024 / 1024).toFixed(1).padStart(8)} MiB, ${(bytes / million).toFixed(0)} bytes each`,
    );
    await redis.unlink(key);
  }
}

function at(values: number[], share: number) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? Number.NaN;
}
