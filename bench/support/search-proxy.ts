// What the search route adds over calling the search backend directly: the same search, the same stack.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { z } from "zod";
import { buildIfStale } from "../../scripts/local-stack/build-if-stale.ts";
import { freePort } from "../../scripts/local-stack/ports.ts";
import { cookieHeader, sessionCookies } from "../../scripts/local-stack/session-cookies.ts";
import { startStackForBench } from "./started-stack.ts";

const rounds = 4;
const requests = 100; // of each way in each round
const params = { lastName: "mar", queryFrom: 0, querySize: 25 };

/** Prints median and 95th percentile of both ways, with 1 and with 50 requests under way at once. */
export async function measureSearchProxy(): Promise<void> {
  buildIfStale();
  const stack = await startStackForBench();
  const port = await freePort(3210);
  const app = spawn(process.execPath, [resolve("node_modules/next/dist/bin/next"), "start", "-p", String(port)], {
    env: { PATH: process.env.PATH, ...stack.env, NODE_ENV: "production", RATE_LIMIT_SEARCH: "1000000" },
    stdio: "ignore",
  });
  try {
    const address = `http://localhost:${port}`;
    await untilUp(`${address}/login`);
    const backend = stack.env.SEARCHSVC_URL_SEARCH ?? "";
    const token = await logIn(backend, stack.env);
    const cookies = await sessionCookies({
      supabaseUrl: stack.env.NEXT_PUBLIC_SUPABASE_URL ?? "",
      publishableKey: stack.env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY ?? "",
      email: "canvasser@demo.test",
    });
    const cookie = cookieHeader([...cookies, { name: "searchsvc_token_search", value: token }]);
    const ways = {
      "the backend directly": () =>
        post(`${backend}/essearch/validation`, params, { authorization: `Bearer ${token}` }),
      "through the route": () => post(`${address}/api/essearch-common`, { params }, { cookie }),
    };
    for (const atOnce of [1, 50]) {
      const times: Record<string, number[]> = {};
      for (let round = -1; round < rounds; round++) {
        for (const [name, run] of Object.entries(ways)) {
          const taken = await load(run, atOnce);
          if (round >= 0) times[name] = [...(times[name] ?? []), ...taken];
        }
      }
      console.log(`\nSearch with ${atOnce} at once (${rounds} interleaved rounds of ${requests})`);
      for (const [name, taken] of Object.entries(times)) {
        console.log(`  ${name.padEnd(24)}median ${at(taken, 0.5)} ms   p95 ${at(taken, 0.95)} ms`);
      }
    }
  } finally {
    app.kill("SIGTERM");
    if (app.exitCode === null) await once(app, "exit");
    await stack.stop();
  }
}

async function load(run: () => Promise<void>, atOnce: number) {
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

function at(times: number[], share: number) {
  const sorted = times.toSorted((one, other) => one - other);
  return (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(1).padStart(7);
}

async function post(url: string, body: unknown, headers: Record<string, string>) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
}

async function untilUp(url: string) {
  for (let attempt = 0; attempt < 200; attempt++) {
    if ((await fetch(url).catch(() => undefined))?.ok) return;
    await new Promise((next) => setTimeout(next, 100));
  }
  throw new Error(`${url} does not answer.`);
}

async function logIn(backend: string, env: Record<string, string>) {
  const response = await fetch(`${backend}/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      email: env.SEARCHSVC_API_EMAIL_SEARCH,
      password: env.SEARCHSVC_API_PASSWORD_SEARCH,
      mode: "json",
    }),
  });
  return z.object({ data: z.object({ access_token: z.string() }) }).parse(await response.json()).data.access_token;
}
