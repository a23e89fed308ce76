import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { signersBuiltKey, signersKey } from "../../../supabase/functions/_shared/signers.ts";
import {
  publishableKey,
  restAsService,
  rowsOf,
  setting,
  signInOverApi,
  siteUrl,
  supabaseUrl,
} from "../../support/demo.ts";
import { connectToRedis } from "../../support/epochs.ts";
import { cookieOf } from "../../support/session-cookies.ts";

const address = `${supabaseUrl}/functions/v1/sync-signers`;
const secretKey = setting("SUPABASE_SECRET_KEY");
const redis = connectToRedis();
afterAll(async () => {
  await sync({ campaignId: "safe-streets" }); // removes strangers
  redis.disconnect();
});

const post = (body: unknown, headers: Record<string, string> = { apikey: secretKey }, method = "POST") =>
  fetch(address, {
    method,
    headers,
    ...(method === "GET" ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
const sync = async (body: unknown) => {
  const response = await post(body);
  const answered: unknown = await response.json();
  return { status: response.status, cacheControl: response.headers.get("cache-control"), body: answered };
};

const set = signersKey("safe-streets");
const signed = async () => {
  const live = "campaign_id=eq.safe-streets&verdict=eq.accepted&removed_at=is.null";
  return (await rowsOf(`lines?${live}&select=voter_id`)).map(({ voter_id }) => String(voter_id)).toSorted();
};
const allSchema = z.looseObject({ campaigns: z.array(z.looseObject({ campaignId: z.string() })) });

beforeEach(async () => void (await sync({ campaignId: "safe-streets" })));

test("the sets have the demo's 12,000 signatures from the first request on", async () => {
  const { status, cacheControl, body } = await sync({ all: true });
  expect([status, cacheControl]).toEqual([200, "no-store"]);
  const campaigns = new Map(allSchema.parse(body).campaigns.map((campaign) => [campaign.campaignId, campaign]));
  expect(campaigns.get("clean-water")).toMatchObject({ added: 0, dropped: 0 });
  expect(campaigns.get("open-parks")).toMatchObject({ added: 0, dropped: 0 });
  expect(campaigns.get("safe-streets")).toMatchObject({ read: 28, added: 0, dropped: 0 });
  expect(await redis.scard(signersKey("clean-water"))).toBeGreaterThan(11_000);
});

test("without a body the function applies changes made outside of the application", async () => {
  const id = crypto.randomUUID();
  const line = { id, team_id: "riverside", campaign_id: "safe-streets", verdict: "accepted", voter_id: "SYNC-1" };
  await restAsService("lines", { method: "POST", body: line });
  expect((await post("")).status).toBe(200);
  expect(await redis.sismember(set, "SYNC-1")).toBe(1);
  await restAsService(`lines?id=eq.${id}`, { method: "DELETE" });
  expect((await post({})).status).toBe(200);
  expect(await redis.sismember(set, "SYNC-1")).toBe(0);
});

test("the schedule rebuilds the sets within seconds after Redis was flushed", async () => {
  const lines = await signed();
  await redis.flushall();
  await expect.poll(() => redis.exists(signersBuiltKey("safe-streets"))).toBe(1);
  expect((await redis.smembers(set)).toSorted()).toEqual(lines);
});

test.each([
  ["{", "Send JSON."],
  ["[]", "Send a JSON object."],
  ["null", "Send a JSON object."],
  ['"clean-water"', "Send a JSON object."],
  ['{"campaign":"clean-water"}', "There is no field campaign."],
  ['{"all":false}', "all must be true."],
  ['{"all":true,"campaignId":"safe-streets"}', "Send campaignId or all."],
  ['{"requestNumber":1}', "Send requestNumber with its campaignId."],
  ['{"campaignId":"safe-streets","requestNumber":"1"}', "requestNumber must be a number."],
  ['{"campaignId":"a:b"}', expect.stringContaining("campaignId must use letters")],
  ['{"campaignId":["safe-streets"]}', expect.stringContaining("campaignId must use letters")],
  ['{"campaignId":""}', expect.stringContaining("campaignId must use letters")],
  ['{"campaignId":"no-such"}', "There is no campaign no-such."],
])("%s is 400 and changes nothing", async (body, error) => {
  await redis.sadd(set, "stranger");
  expect(await sync(body)).toEqual({ status: 400, cacheControl: "no-store", body: { error } });
  expect(await redis.sismember(set, "stranger")).toBe(1);
});

test("the function is 401 without the secret key and 405 with another method, and changes nothing", async () => {
  await redis.sadd(set, "stranger");
  const { token } = await signInOverApi("admin@demo.test");
  const refused = { error: "Send the secret key as `apikey`." };
  const keys: Record<string, string>[] = [
    {},
    { apikey: publishableKey },
    { apikey: publishableKey, authorization: `Bearer ${token}` },
    { apikey: "" },
  ];
  for (const headers of keys) {
    const response = await post({ campaignId: "safe-streets" }, headers);
    expect([response.status, await response.json()]).toEqual([401, refused]);
  }
  for (const method of ["GET", "PUT", "DELETE", "OPTIONS"]) {
    const response = await post({ campaignId: "safe-streets" }, { apikey: secretKey }, method);
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  }
  expect(await redis.sismember(set, "stranger")).toBe(1);
});

describe("the duplicate check", () => {
  const voterId = "e2e-duplicate";
  const campaignId = "clean-water";
  afterAll(() => redis.srem(signersKey(campaignId), voterId));

  async function sendCheck(path = "/api/duplicate", body: object = { campaignId, voterId }) {
    const headers = { cookie: await cookieOf("clerk"), "content-type": "application/json" };
    const beganAt = performance.now();
    const response = await fetch(siteUrl + path, { method: "POST", headers, body: JSON.stringify(body) });
    const result = { status: response.status, body: await response.json() };
    return { ...result, retryAfterSeconds: response.headers.get("retry-after"), took: performance.now() - beganAt };
  }

  test("people who can open the campaign learn whether a voter has signed", async () => {
    expect(await sendCheck()).toMatchObject({ status: 200, body: { exists: false } });
    await redis.sadd(signersKey(campaignId), voterId);
    expect(await sendCheck()).toMatchObject({ status: 200, body: { exists: true } });
    const batchResponse = await sendCheck("/api/duplicate/batch", { campaignId, voterIds: [voterId, "unknown"] });
    expect(batchResponse).toMatchObject({ status: 200, body: { exists: { [voterId]: true, unknown: false } } });
    const elsewhere = { status: 403, body: { error: expect.any(String) } };
    expect(await sendCheck("/api/duplicate", { campaignId: "safe-streets", voterId })).toMatchObject(elsewhere);
  });

  test("while Redis hangs the check is 503 within 500 ms, and correct again within 2 s", async () => {
    await vi.waitFor(async () => expect((await sendCheck()).status).toBe(200));
    await redis.client("PAUSE", 1_500);
    const unreachable = {
      status: 503,
      body: { error: "Part of Signet is down. Try again in a moment." },
      retryAfterSeconds: "1",
      took: expect.any(Number),
    };
    const thawsAt = performance.now() + 1_500;
    const took: number[] = [];
    while (performance.now() < thawsAt - 600) {
      const result = await sendCheck();
      expect(result).toEqual(unreachable);
      took.push(result.took);
    }
    expect(Math.min(...took)).toBeLessThan(500); // a busy machine delays single answers
    await redis.ping(); // waits for the end of the pause
    await vi.waitFor(async () => expect((await sendCheck()).status).toBe(200), { timeout: 2_000, interval: 20 });
  });
});
