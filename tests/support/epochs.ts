import { Redis } from "ioredis";
import { epochKey } from "../../supabase/functions/_shared/permission-epochs.ts";
import { setting } from "./demo.ts";

/** A connection of the test's own to the stack's Redis. Disconnect it at the end. */
export function connectToRedis() {
  return new Redis(setting("REDIS_URL"));
}

/** A user's permission epoch as it is now, or null when she has none. */
export function epochOf(redis: Redis, userId: string) {
  return redis.get(epochKey(userId));
}
