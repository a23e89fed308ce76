import { Redis } from "ioredis";
import { epochKey } from "../../supabase/functions/_shared/permission-epochs.ts";
import { setting } from "./demo.ts";

/** A new connection to the Redis of the stack. Disconnect it at the end. */
export function connectToRedis() {
  return new Redis(setting("REDIS_URL"));
}

/** A user's current permission epoch, or null if there is none. */
export function epochOf(redis: Redis, userId: string) {
  return redis.get(epochKey(userId));
}
