import { Redis } from "ioredis";
import { expect, onTestFinished, test, vi } from "vitest";
import { startRedis } from "../../../harness/redis-server.ts";
import { readRefusedPlace, saveRefusedPlace } from "../../../lib/permissions/require-place.ts";

test("which place was not open is told to whom it was refused, for 10 seconds (contract 4.7)", async () => {
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
  const keptMs = await redis.pttl("refused-place:u1");
  expect(keptMs).toBeGreaterThan(5_000); // what it takes to get here is part of the 10 s
  expect(keptMs).toBeLessThanOrEqual(10_000);
});
