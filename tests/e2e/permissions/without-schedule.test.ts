import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { z } from "zod";
import { drainedKey } from "../../../supabase/functions/_shared/permission-epochs.ts";
import { env, setting } from "../../support/demo.ts";
import { ownPort } from "../../support/own-port.ts";
import { startRedis } from "../../support/redis-server.ts";
import { cookieOf } from "../../support/session-cookies.ts";
import { endInstance, startInstance } from "../../support/two-instances.ts";

const healthSchema = z.object({
  permissionCache: z.object({ hit: z.number(), miss: z.number(), bypass: z.number(), recompute: z.number() }),
});

test("an instance on a Redis that no schedule marks as drained serves its pages from the cache", async () => {
  const server = await startRedis();
  const redis = new Redis(server.url);
  const port = await ownPort(3480);
  const instance = await startInstance({ port, env: { ...env, REDIS_URL: server.url } });
  const site = `http://localhost:${port}`;
  try {
    const cookies = [await cookieOf("admin"), await cookieOf("clerk")];
    const view = async (count: number) => {
      // So long ago was the view before that the lease has lapsed.
      await redis.del(drainedKey, "permissions:draining");
      const cookie = cookies[count % cookies.length] ?? "";
      const response = await fetch(`${site}/riverside/campaign/clean-water`, {
        headers: { cookie },
        redirect: "manual",
      });
      expect(response.status).toBe(200);
      await response.text();
    };
    const reads = async () => {
      const health = await fetch(`${site}/api/health`, { headers: { apikey: setting("SUPABASE_SECRET_KEY") } });
      return healthSchema.parse(await health.json()).permissionCache;
    };
    await view(0); // the page is loaded with it, which may take longer than a read waits
    const before = await reads();
    for (let count = 0; count < 60; count++) await view(count);

    const { hit, miss, bypass, recompute } = await reads();
    expect({ bypass, recompute }).toEqual({ bypass: before.bypass, recompute: before.recompute });
    expect(hit / (hit + miss)).toBeGreaterThan(0.95);
  } finally {
    redis.disconnect();
    await endInstance(instance);
    await server.close();
  }
});
