// Measures the duplicate route and the snapshot route when tokens are verified with the project's public key, as on hosted
// Supabase: compared with the same route doing nothing, and how much the verification takes. A route does nothing for a
// method that it doesn't accept. For a token signed with another key it only verifies.
import { Redis } from "ioredis";
import { median, ratio } from "../harness/numbers.ts";
import { runBench, sized } from "../harness/run-bench.ts";
import { startedApp } from "../harness/started-app.ts";
import { cookieOf, startedStack } from "../harness/started-stack.ts";
import { forgetLimits, loadInTurn, send } from "./support/load-in-turn.ts";
import { startIssuer } from "./support/own-issuer.ts";

const email = "clerk@demo.test";
const routes = [
  {
    what: "POST /api/duplicate",
    path: "/api/duplicate",
    method: "POST",
    json: { campaignId: "clean-water", voterId: "no-one" },
    answer: /^\{"exists":false\}$/,
  },
  {
    what: "GET /api/permissions/fingerprint, of two cached snapshots",
    path: "/api/permissions/fingerprint?team=riverside&campaign=clean-water",
    method: "GET",
    answer: /^\{"fingerprint":"[\w-]{22}"\}$/,
  },
];

await runBench(async () => {
  const stack = await startedStack();
  const redis = new Redis(stack.REDIS_URL);
  const issuer = await startIssuer(stack);
  const { cookie, forged } = await issuer.signIn(email);
  const app = await startedApp({ ...stack, NEXT_PUBLIC_SUPABASE_URL: issuer.url });
  const local = await startedApp(stack);
  const localCookie = await cookieOf(stack, email);

  for (const { what, path, method, json, answer } of routes) {
    const ask = (url: string, headers: { cookie: string }) => async () => {
      const { status, text } = await send(`${url}${path}`, { method, headers, json });
      if (status !== 200 || !answer.test(text)) throw new Error(`${what} answered ${status}: ${text}`);
    };
    const refused = (expected: number, request: { method: string; cookie: string }) => async () => {
      const { status } = await send(`${app.url}${path}`, {
        method: request.method,
        headers: { cookie: request.cookie },
        json,
      });
      if (status !== expected) throw new Error(`${request.method} ${path} answered ${status}, not ${expected}.`);
    };
    const ways = [
      { name: "doing nothing", app, run: refused(405, { method: "PUT", cookie }) },
      { name: "verifying alone", app, run: refused(401, { method, cookie: forged }) },
      { name: "the route", app, run: ask(app.url, { cookie }) },
      { name: "the route, where Auth is asked", app: local, run: ask(local.url, { cookie: localCookie }) },
    ];
    const of = await loadInTurn(what, ways, {
      before: () => forgetLimits(redis),
      rounds: sized(20, 1),
      requests: sized(120, 8),
      atOnce: 8,
    });
    const { rates, cpu } = of("the route");
    const against = (way: string) => ratio(rates, of(way).rates).toFixed(2);
    const verification = median(of("verifying alone").cpu) - median(of("doing nothing").cpu);
    console.log(`  requests/s against doing nothing ${against("doing nothing")}`);
    console.log(
      `  requests/s against where Auth is asked ${against("the route, where Auth is asked")}   expected: more than 1`,
    );
    console.log(`  share of verification in its CPU time ${(verification / median(cpu)).toFixed(2)}`);
  }
  redis.disconnect();
});
