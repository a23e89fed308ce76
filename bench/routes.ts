// Measures the duplicate route and the snapshot route when tokens are verified with the project's public key, as on hosted
// Supabase: compared with the same route doing nothing, and how much the verification takes. A route does nothing for a
// method that it doesn't accept. For a token signed with another key it only verifies.
import { Redis } from "ioredis";
import { median, ratio } from "../harness/measure.ts";
import { runBench, sized } from "../harness/run-bench.ts";
import { startedApp } from "../harness/started-app.ts";
import { cookieOf, startedStack } from "../harness/started-stack.ts";
import { forgetLimits, loadInTurn, send } from "./support/load-in-turn.ts";
import { startIssuer } from "./support/own-issuer.ts";

const email = "clerk@demo.test";
const routes = [
  {
    title: "POST /api/duplicate",
    path: "/api/duplicate",
    method: "POST",
    json: { campaignId: "clean-water", voterId: "no-one" },
    expectedBody: /^\{"exists":false\}$/,
  },
  {
    title: "GET /api/permissions/fingerprint, of two cached snapshots",
    path: "/api/permissions/fingerprint?team=riverside&campaign=clean-water",
    method: "GET",
    expectedBody: /^\{"fingerprint":"[\w-]{22}"\}$/,
  },
];

await runBench(async () => {
  const stack = await startedStack();
  const redis = new Redis(stack.REDIS_URL);
  const issuer = await startIssuer(stack);
  const { cookie, forged } = await issuer.signIn(email);
  const app = await startedApp({ ...stack, NEXT_PUBLIC_SUPABASE_URL: issuer.url });
  const localApp = await startedApp(stack);
  const localCookie = await cookieOf(stack, email);

  for (const { title, path, method, json, expectedBody } of routes) {
    const request = (url: string, headers: { cookie: string }) => async () => {
      const { status, text } = await send(`${url}${path}`, { method, headers, json });
      if (status !== 200 || !expectedBody.test(text)) throw new Error(`${title} answered ${status}: ${text}`);
    };
    const refusedRequest = (expected: number, request: { method: string; cookie: string }) => async () => {
      const { status } = await send(`${app.url}${path}`, {
        method: request.method,
        headers: { cookie: request.cookie },
        json,
      });
      if (status !== expected) throw new Error(`${request.method} ${path} answered ${status}, not ${expected}.`);
    };
    const variants = [
      { name: "doing nothing", app, run: refusedRequest(405, { method: "PUT", cookie }) },
      { name: "verifying alone", app, run: refusedRequest(401, { method, cookie: forged }) },
      { name: "the route", app, run: request(app.url, { cookie }) },
      { name: "the route, where Auth is asked", app: localApp, run: request(localApp.url, { cookie: localCookie }) },
    ];
    const resultOf = await loadInTurn(title, variants, {
      before: () => forgetLimits(redis),
      rounds: sized(20, 1),
      requests: sized(120, 8),
      atOnce: 8,
    });
    const { rates, cpuMs } = resultOf("the route");
    const ratioTo = (variant: string) => ratio(rates, resultOf(variant).rates).toFixed(2);
    const verification = median(resultOf("verifying alone").cpuMs) - median(resultOf("doing nothing").cpuMs);
    console.log(`  requests/s against doing nothing ${ratioTo("doing nothing")}`);
    console.log(
      `  requests/s against where Auth is asked ${ratioTo("the route, where Auth is asked")}   expected: more than 1`,
    );
    console.log(`  share of verification in its CPU time ${(verification / median(cpuMs)).toFixed(2)}`);
  }
  redis.disconnect();
});
