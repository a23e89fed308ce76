import { Redis } from "ioredis";
import { expect, onTestFinished, test, vi } from "vitest";
import { startRedis } from "../../../harness/redis-server.ts";
import { readRefusedPlace, saveRefusedPlace } from "../../../lib/permissions/require-place.ts";

test("remembers for 10 seconds which place was refused to which user (contract 4.7)", async () => {
  const server = await startRedis();
  const redis = new Redis(server.url);
  vi.stubEnv("REDIS_URL", server.url);
  onTestFinished(async () => {
    redis.disconnect();
    await server.close();
    vi.unstubAllEnvs();
  });
  await saveRefusedPlace("u1", { team: "north" });
  await saveRefusedPlace("u2", { team: "north", campaign: "lakes" });
  expect(await readRefusedPlace("u1")).toEqual({ team: "north" });
  expect(await readRefusedPlace("u2")).toEqual({ team: "north", campaign: "lakes" });
  expect(await readRefusedPlace("u3")).toBeNull();
  const leftMs = await redis.pttl("refused-place:u1");
  expect(leftMs).toBeGreaterThan(5_000); // the time until here counts
  expect(leftMs).toBeLessThanOrEqual(10_000);
});
