import { afterAll, beforeEach, expect, test } from "vitest";
import { signersBuiltKey, signersKey } from "../../../supabase/functions/_shared/signers.ts";
import { publishableKey, restAsService, setting, signInOverApi, supabaseUrl } from "../../support/demo.ts";
import { connectToRedis } from "../../support/epochs.ts";

const address = `${supabaseUrl}/functions/v1/sync-signers`;
const secretKey = setting("SUPABASE_SECRET_KEY");
const redis = connectToRedis();
afterAll(async () => {
  await sync({ campaignId: "safe-streets" }); // strangers leave
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
const ok = (body: unknown) => ({ status: 200, cacheControl: "no-store", body });

const set = signersKey("safe-streets");
const signed = async () => {
  const rows = (await restAsService(
    "lines?campaign_id=eq.safe-streets&verdict=eq.accepted&removed_at=is.null&select=voter_id",
    {
      method: "GET",
    },
  )) as { voter_id: string }[];
  return rows.map(({ voter_id }) => voter_id).toSorted();
};
const members = async () => (await redis.smembers(set)).toSorted();
const until = async (holds: () => Promise<boolean>) => {
  const deadline = Date.now() + 10_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error("It did not come about within 10 s.");
    await new Promise((later) => setTimeout(later, 100));
  }
};

beforeEach(async () => void (await sync({ campaignId: "safe-streets" })));

test("the demo's 12 000 signatures are in the sets from the first request on", async () => {
  const { body } = await sync({ all: true });
  expect(body).toMatchObject({
    campaigns: [
      { campaignId: "clean-water", added: 0, dropped: 0 },
      { campaignId: "open-parks", added: 0, dropped: 0 },
      { campaignId: "safe-streets", read: 28, added: 0, dropped: 0 },
    ],
  });
  expect(await redis.scard(signersKey("clean-water"))).toBeGreaterThan(11_000);
});

test("a campaign's set is built anew, with true counts", async () => {
  const lines = await signed();
  await redis.srem(set, lines[0] ?? "", lines[1] ?? "");
  await redis.sadd(set, "stranger");
  expect(await sync({ campaignId: "safe-streets" })).toEqual(
    ok({
      campaigns: [{ campaignId: "safe-streets", read: 28, added: 2, dropped: 1 }],
      notes: expect.any(Number),
      left: { campaigns: 0, notes: 0 },
      asked: expect.any(Number),
    }),
  );
  expect(await members()).toEqual(lines);
});

test("without a body it carries out what was changed outside of the application", async () => {
  const id = crypto.randomUUID();
  const line = { id, team_id: "riverside", campaign_id: "safe-streets", verdict: "accepted", voter_id: "SYNC-1" };
  await restAsService("lines", { method: "POST", body: line });
  expect((await post("")).status).toBe(200);
  expect(await redis.sismember(set, "SYNC-1")).toBe(1);
  await restAsService(`lines?id=eq.${id}`, { method: "DELETE" });
  expect((await post({})).status).toBe(200);
  expect(await redis.sismember(set, "SYNC-1")).toBe(0);
});

test("the schedule brings the sets back within seconds when Redis was flushed", async () => {
  const lines = await signed();
  await redis.flushall();
  await until(async () => (await redis.exists(signersBuiltKey("safe-streets"))) === 1);
  expect(await members()).toEqual(lines);
});

test("two calls at once both answer, and the set is whole", async () => {
  const answers = await Promise.all([sync({ campaignId: "safe-streets" }), sync({ campaignId: "safe-streets" })]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(await members()).toEqual(await signed());
});

test.each([
  ["{", "Send JSON."],
  ["[]", "Send a JSON object."],
  ["null", "Send a JSON object."],
  ['"clean-water"', "Send a JSON object."],
  ['{"campaign":"clean-water"}', "There is no field campaign."],
  ['{"all":false}', "all must be true."],
  ['{"all":true,"campaignId":"safe-streets"}', "Send campaignId or all."],
  ['{"asked":1}', "Send asked with its campaignId."],
  ['{"campaignId":"safe-streets","asked":"1"}', "asked must be a number."],
  ['{"campaignId":"a:b"}', expect.stringContaining("campaignId must be")],
  ['{"campaignId":["safe-streets"]}', expect.stringContaining("campaignId must be")],
  ['{"campaignId":""}', expect.stringContaining("campaignId must be")],
  ['{"campaignId":"no-such"}', "There is no campaign no-such."],
])("%s is 400 and changes nothing", async (body, error) => {
  await redis.sadd(set, "stranger");
  expect(await sync(body)).toEqual({ status: 400, cacheControl: "no-store", body: { error } });
  expect(await redis.sismember(set, "stranger")).toBe(1);
});

test("without the secret key it is 401, with another method 405, and changes nothing", async () => {
  await redis.sadd(set, "stranger");
  const { token } = await signInOverApi("admin@demo.test");
  const refused = { error: "Send the secret key as `apikey`." };
  for (const headers of [
    {},
    { apikey: publishableKey },
    { apikey: publishableKey, authorization: `Bearer ${token}` },
    { apikey: "" },
  ]) {
    const response = await post({ campaignId: "safe-streets" }, headers as Record<string, string>);
    expect([response.status, await response.json()]).toEqual([401, refused]);
  }
  for (const method of ["GET", "PUT", "DELETE", "OPTIONS"]) {
    const response = await post({ campaignId: "safe-streets" }, { apikey: secretKey }, method);
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  }
  expect(await redis.sismember(set, "stranger")).toBe(1);
});
