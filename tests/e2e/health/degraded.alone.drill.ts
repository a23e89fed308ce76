import { setTimeout as wait } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { siteUrl } from "../../support/demo.ts";
import { connectToRedis } from "../../support/epochs.ts";

const redis = connectToRedis();
afterAll(() => redis.disconnect());

test("strangers learn that Redis hangs, and that it is back, once what they know is 5 s old", async () => {
  const ask = async () => {
    const response = await fetch(`${siteUrl}/api/health`);
    return { status: response.status, body: await response.json() };
  };
  await wait(5_000);
  await redis.client("PAUSE", 1_500, "ALL");
  expect(await ask()).toEqual({ status: 200, body: { status: "degraded" } });
  await wait(3_000);
  await expect.poll(ask).toEqual({ status: 200, body: { status: "ok" } });
});
