import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";
import type { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { cookieHeader } from "../../../scripts/local-stack/session-cookies.ts";
import { signersKey } from "../../../supabase/functions/_shared/signers.ts";
import { siteUrl } from "../../support/demo.ts";
import { connectToRedis } from "../../support/epochs.ts";
import { sessionCookies } from "../../support/session-cookies.ts";

const campaignId = "clean-water";
const voterId = "e2e-duplicate";

let redis: Redis;
let clerk: string;
beforeAll(async () => {
  redis = connectToRedis();
  clerk = cookieHeader(await sessionCookies("clerk@demo.test"));
});
afterAll(async () => {
  await redis?.srem(signersKey(campaignId), voterId);
  redis?.disconnect();
});

async function ask(cookie: string, body: unknown = { campaignId, voterId }, path = "/api/duplicate") {
  const beganAt = performance.now();
  const response = await fetch(`${siteUrl}${path}`, {
    method: "POST",
    headers: { cookie, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = { status: response.status, body: await response.json() };
  return { ...answer, retryAfter: response.headers.get("retry-after"), took: performance.now() - beganAt };
}

test("whoever reaches the campaign is told whether the voter has signed", async () => {
  expect(await ask(clerk)).toMatchObject({ status: 200, body: { exists: false } });
  await redis.sadd(signersKey(campaignId), voterId);
  expect(await ask(clerk)).toMatchObject({ status: 200, body: { exists: true } });
  expect(await ask(clerk, { campaignId, voterIds: [voterId, "nobody"] }, "/api/duplicate/batch")).toMatchObject({
    status: 200,
    body: { exists: { [voterId]: true, nobody: false } },
  });
});

test("200 questions of one person at once are answered, or told when to ask again", async () => {
  await redis.sadd(signersKey(campaignId), voterId);
  const answers = await Promise.all(Array.from({ length: 200 }, () => ask(clerk)));
  for (const { status, body, retryAfter } of answers) {
    if (status === 200) expect(body).toEqual({ exists: true });
    else expect([[429, 503].includes(status), Number(retryAfter) > 0]).toEqual([true, true]);
  }
});

test("a client that is no browser is told too, by the cookie of a session and nothing else", async () => {
  await redis.sadd(signersKey(campaignId), voterId);
  const headers = { cookie: clerk, "content-type": "application/json" };
  const asked = request(`${siteUrl}/api/duplicate`, { method: "POST", headers });
  asked.end(JSON.stringify({ campaignId, voterId }));
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  expect(asked.getHeaderNames().sort()).toEqual(["content-type", "cookie", "host"]);
  expect([response.statusCode, response.headers["cache-control"], await json(response)]).toEqual([
    200,
    "no-store",
    { exists: true },
  ]);
});

test.each([
  ["nobody signed in", null, campaignId, 401],
  ["a person without a team", "outsider@demo.test", campaignId, 403],
  ["a suspended member", "suspended@demo.test", campaignId, 403],
  ["an administrator of another team", "hill@demo.test", campaignId, 403],
  ["a clerk, of another campaign of her team", "clerk@demo.test", "safe-streets", 403],
  ["a clerk, of no campaign", "clerk@demo.test", "not-there", 403],
])("%s is told nothing", async (_who, email, campaign, status) => {
  const cookie = email ? cookieHeader(await sessionCookies(email)) : "";
  const body = { error: expect.any(String) };
  expect(await ask(cookie, { campaignId: campaign, voterId })).toMatchObject({ status, body });
  const many = { campaignId: campaign, voterIds: [voterId] };
  expect(await ask(cookie, many, "/api/duplicate/batch")).toMatchObject({ status, body });
});

test("while Redis hangs it is 503 within 500 ms, guard and all, and right again within 2 s", async () => {
  await vi.waitFor(async () => expect((await ask(clerk)).status).toBe(200));
  await redis.client("PAUSE", 1_500);
  const away = {
    status: 503,
    body: { error: "The store is away. Try again in a moment." },
    retryAfter: "1",
    took: expect.toSatisfy((took: number) => took < 500),
  };
  const thawsAt = performance.now() + 1_500;
  while (performance.now() < thawsAt - 600) expect(await ask(clerk)).toEqual(away);
  await redis.ping(); // waits for the end of the pause
  await vi.waitFor(async () => expect((await ask(clerk)).status).toBe(200), { timeout: 2_000, interval: 20 });
});
