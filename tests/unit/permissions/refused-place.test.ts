import { expect, test } from "vitest";
import { readRefusedPlace, saveRefusedPlace } from "../../../lib/permissions/require-place.ts";
import { setUpRedis } from "../../support/redis.ts";

const { server, redis } = await setUpRedis();
process.env.REDIS_URL = server.url;

test("remembers for 10 seconds which place was refused to which user (contract 4.7)", async () => {
  await saveRefusedPlace("u1", { team: "north" });
  await saveRefusedPlace("u2", { team: "north", campaign: "lakes" });
  expect(await readRefusedPlace("u1")).toEqual({ team: "north" });
  expect(await readRefusedPlace("u2")).toEqual({ team: "north", campaign: "lakes" });
  expect(await readRefusedPlace("u3")).toBeNull();
  const leftMs = await redis.pttl("refused-place:u1");
  expect(leftMs).toBeGreaterThan(5_000); // the time until here counts
  expect(leftMs).toBeLessThanOrEqual(10_000);
});
