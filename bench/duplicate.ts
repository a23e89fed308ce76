// Measures the duplicate route for one voter and for 500, compared with the same route returning a constant after guard and
// parsing, and with one that asks the database. Also measures the memory of a million signers in Redis. The other two routes
// are the same application with one file replaced.
import { Redis } from "ioredis";
import { z } from "zod";
import { ratio } from "../harness/measure.ts";
import { runBench, sized } from "../harness/run-bench.ts";
import { stackApi } from "../harness/stack-api.ts";
import { startedApp } from "../harness/started-app.ts";
import { cookieOf, type Stack, startedStack } from "../harness/started-stack.ts";
import { signersKey } from "../supabase/functions/_shared/signers.ts";
import { buildAltered } from "./support/altered-build.ts";
import { forgetLimits, loadInTurn, send } from "./support/load-in-turn.ts";

const campaignId = "clean-water";
const signerCount = sized(12_000, 1_000);
const largeSetSize = sized(1_000_000, 10_000);

const answerSchema = z.object({ exists: z.union([z.boolean(), z.record(z.string(), z.boolean())]) });
const voterId = (number: number) => `BN${String(number).padStart(8, "0")}`;

// An environment variable chooses between the two, because both use the same build.
const checkSigners = `
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

export async function checkSigners({ campaignId, voterIds }: { campaignId: string; voterIds: string[] }) {
  if (process.env["BENCH_ANSWERS"] === "constant") return new Map(voterIds.map((voterId) => [voterId, true]));
  const query = createAdminClient().from("lines").select("voter_id").eq("campaign_id", campaignId);
  const found = unwrap(await query.in("voter_id", voterIds).eq("verdict", "accepted").is("removed_at", null)) as { voter_id: string }[];
  const live = new Set(found.map(({ voter_id }) => voter_id));
  return new Map(voterIds.map((voterId) => [voterId, live.has(voterId)]));
}

export async function hasSigner({ campaignId, voterId }: { campaignId: string; voterId: string }) {
  return (await checkSigners({ campaignId, voterIds: [voterId] })).get(voterId) === true;
}
`;

await runBench(async () => {
  const altered = await buildAltered({ "lib/signers/has-signers.ts": checkSigners });
  const stack = await startedStack();
  const redis = new Redis(stack.REDIS_URL);
  await fill(stack, redis);
  await measureRoutes(stack, redis, altered);
  await measureMemory(redis);
  redis.disconnect();
});

// Signers have even numbers, in the table and in the set.
async function fill(stack: Stack, redis: Redis) {
  const { rest } = stackApi(stack);
  for (let from = 0; from < signerCount; from += 1_000) {
    const voterIds = Array.from({ length: 1_000 }, (_, offset) => voterId(2 * (from + offset)));
    const rows = voterIds.map((voter_id) => ({
      team_id: "riverside",
      campaign_id: campaignId,
      verdict: "accepted",
      voter_id,
    }));
    await rest("lines", "POST", rows);
    await redis.sadd(signersKey(campaignId), voterIds);
  }
}

async function measureRoutes(stack: Stack, redis: Redis, altered: string) {
  const cookie = await cookieOf(stack, "clerk@demo.test");
  const apps = [
    { name: "the set in Redis", app: await startedApp(stack) },
    { name: "a constant", app: await startedApp({ ...stack, BENCH_ANSWERS: "constant" }, altered) },
    { name: "a query of the table", app: await startedApp({ ...stack, BENCH_ANSWERS: "sql" }, altered) },
  ];
  for (const { path, voters, requests } of [
    { path: "/api/duplicate", voters: 1, requests: sized(160, 16) },
    { path: "/api/duplicate/batch", voters: 500, requests: sized(48, 8) },
  ]) {
    const variants = apps.map(({ name, app }) => ({
      name,
      app,
      run: () => sendCheck({ url: `${app.url}${path}`, cookie, voters, isConstant: name === "a constant" }),
    }));
    const title = `${path}, ${voters} voter${voters > 1 ? "s" : ""}`;
    const resultOf = await loadInTurn(title, variants, {
      rounds: sized(12, 1),
      requests,
      atOnce: 8,
      before: () => forgetLimits(redis),
    });
    const ratioTo = (way: string) => ratio(resultOf("the set in Redis").rates, resultOf(way).rates).toFixed(2);
    console.log(`  requests/s against the constant ${ratioTo("a constant")}   expected: at least 0.7`);
    console.log(`  requests/s against the query ${ratioTo("a query of the table")}   expected: more than 1`);
  }
}

type Check = { url: string; cookie: string; voters: number; isConstant: boolean };

async function sendCheck({ url, cookie, voters, isConstant }: Check) {
  const first = Math.floor(Math.random() * 2 * signerCount);
  const numbers = Array.from({ length: voters }, (_, offset) => first + offset);
  const voterIds = numbers.map(voterId);
  const json = voters === 1 ? { campaignId, voterId: voterIds[0] } : { campaignId, voterIds };
  const { status, text } = await send(url, { headers: { cookie }, json });
  if (status !== 200) throw new Error(`${url} answered ${status}: ${text}`);
  const { exists } = answerSchema.parse(JSON.parse(text));
  const isSigner = (number: number) => isConstant || (number % 2 === 0 && number < 2 * signerCount);
  const isRight = (number: number) =>
    (typeof exists === "boolean" ? exists : exists[voterId(number)]) === isSigner(number);
  if (!numbers.every(isRight)) throw new Error(`${url} gave a wrong answer.`);
}

async function measureMemory(redis: Redis) {
  console.log(`\nMemory of a set of ${largeSetSize} signers, with all of its members counted`);
  const kinds: [string, (number: number) => string][] = [
    ["ids of 10 characters", voterId],
    ["ids of 36 characters", () => crypto.randomUUID()],
    ["ids of 64 characters", (number) => voterId(number).padEnd(64, "x")],
  ];
  for (const [name, idOf] of kinds) {
    const key = signersKey("bench-memory");
    for (let from = 0; from < largeSetSize; from += 10_000) {
      await redis.sadd(
        key,
        Array.from({ length: 10_000 }, (_, offset) => idOf(from + offset)),
      );
    }
    const bytes = Number(await redis.memory("USAGE", key, "SAMPLES", 0));
    console.log(
      `  ${name.padEnd(24)}${(bytes / 1024 / 1024).toFixed(1).padStart(8)} MiB, ${(bytes / largeSetSize).toFixed(0)} bytes each`,
    );
    await redis.unlink(key);
  }
}
