import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import { processWide } from "@/lib/process-wide";
import { withRedis } from "@/lib/redis";

/**
 * In a `window`, `free` failures cost nothing. Each further one closes the budget: for `first`, then for twice as long as
 * the one before, for `longest` at most. In seconds.
 */
export type Budget = { free: number; first: number; longest: number; window: number };

/** An attempt that is counted as a failure from before it is tried, so that of many at once only some are tried. */
type CountedAttempt = {
  /** Counts it no longer: it was no failure. */
  undo(): Promise<void>;
  /** Forgets it and those before it: it succeeded. */
  clear(): Promise<void>;
};

// Answers the ms to wait, or 0 with the attempt counted; and the time until which the budget is closed.
const countScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local opens = tonumber(redis.call('HGET', KEYS[1], 'opens') or 0)
if opens > now then return { opens - now, opens } end
local count = redis.call('HINCRBY', KEYS[1], 'count', 1)
if count == 1 then redis.call('EXPIRE', KEYS[1], ARGV[4]) end
local over = count - ARGV[1]
if over < 1 then return { 0, 0 } end
opens = now + 1000 * math.min(ARGV[2] * 2 ^ (over - 1), tonumber(ARGV[3]))
redis.call('HSET', KEYS[1], 'opens', opens)
return { 0, opens }
`;
const undoScript = `
if tonumber(redis.call('HGET', KEYS[1], 'count') or 0) > 0 then redis.call('HINCRBY', KEYS[1], 'count', -1) end
if redis.call('HGET', KEYS[1], 'opens') == ARGV[1] then redis.call('HDEL', KEYS[1], 'opens') end
`;
const replySchema = z.tuple([z.number(), z.number()]);

type Count = { count: number; opens: number; endsAt: number };
const local = processWide("attempts", () => new Map<string, Count>());
const mostLocal = 10_000;

/**
 * Counts an attempt in the budget of a key, for all instances together; while Redis is away, in this process. Throws
 * AppError `too-many-requests`, with the seconds to wait, while the budget is closed: the attempt is not to be tried then.
 */
export async function countAttempt(key: string, budget: Budget): Promise<CountedAttempt> {
  const { free, first, longest, window } = budget;
  const counted = replySchema.safeParse(await inRedis(countScript, key, free, first, longest, window)).data;
  const [wait, opens] = counted ?? countHere(key, budget, Date.now());
  if (wait > 0) throw tooOften(Math.ceil(wait / 1000));
  return {
    undo: async () => {
      if (counted) await inRedis(undoScript, key, opens);
      else undoHere(key, opens);
    },
    clear: async () => {
      local.delete(key);
      await inRedis("redis.call('DEL', KEYS[1])", key);
    },
  };
}

function tooOften(seconds: number) {
  const wait = seconds === 1 ? "1 second" : `${seconds} seconds`;
  return new AppError("too-many-requests", `Too many attempts. Try again in ${wait}.`, { retryAfter: seconds });
}

async function inRedis(script: string, key: string, ...values: number[]): Promise<unknown> {
  try {
    return await withRedis((redis) => redis.eval(script, 1, key, ...values));
  } catch {
    return null; // counted here instead, or left as it is until its window ends
  }
}

// The same as the script. A stranger chooses the keys, so what this process holds of them has an end.
function countHere(key: string, { free, first, longest, window }: Budget, now: number): [number, number] {
  const running = local.get(key);
  const held = running && running.endsAt > now ? running : { count: 0, opens: 0, endsAt: now + window * 1000 };
  if (held.opens > now) return [held.opens - now, held.opens];
  held.count += 1;
  local.delete(key); // so that the one that was counted longest ago is the first
  local.set(key, held);
  const [oldest] = local.keys();
  if (local.size > mostLocal && oldest) local.delete(oldest);
  if (held.count <= free) return [0, 0];
  held.opens = now + 1000 * Math.min(first * 2 ** (held.count - free - 1), longest);
  return [0, held.opens];
}

function undoHere(key: string, opens: number) {
  const held = local.get(key);
  if (!held) return;
  held.count = Math.max(0, held.count - 1);
  if (held.opens === opens) held.opens = 0;
}
