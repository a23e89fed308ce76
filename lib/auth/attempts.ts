import "server-only";
import { setTimeout as pause } from "node:timers/promises";
import { headers } from "next/headers";
import { z } from "zod";
import { addressKey, knownDevice, rememberDevice } from "@/lib/auth/device-cookie";
import { authMessages } from "@/lib/auth/messages";
import { clientAddress, clientNetwork } from "@/lib/client-address";
import { AppError, type ErrorCode } from "@/lib/errors";
import { processWide } from "@/lib/process-wide";
import { withRedis } from "@/lib/redis";

/**
 * In a window, `freeFailures` failures have no effect. Each further one blocks the budget: first for `firstBlockSeconds`, then
 * twice as long as before, up to `maxSeconds`.
 */
type Budget = { freeFailures: number; firstBlockSeconds: number; maxSeconds: number; windowSeconds: number };

/** An attempt, counted as a failure before it is made. Otherwise simultaneous attempts would all be made. */
type CountedAttempt = {
  /** Stops counting it: it wasn't a failure. */
  undo(): Promise<void>;
  /** Clears it and those before it: it succeeded. */
  clear(): Promise<void>;
};

// Returns the ms to wait, or 0 if the attempt is counted, and the time until which the budget is blocked.
const countScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local blockedUntilMs = tonumber(redis.call('HGET', KEYS[1], 'opens') or 0)
if blockedUntilMs > now then return { blockedUntilMs - now, blockedUntilMs } end
local count = redis.call('HINCRBY', KEYS[1], 'count', 1)
if count == 1 then redis.call('EXPIRE', KEYS[1], ARGV[4]) end
local excessFailures = count - ARGV[1]
if excessFailures < 1 then return { 0, 0 } end
blockedUntilMs = now + 1000 * math.min(ARGV[2] * 2 ^ (excessFailures - 1), tonumber(ARGV[3]))
redis.call('HSET', KEYS[1], 'opens', blockedUntilMs)
return { 0, blockedUntilMs }
`;
const undoScript = `
if tonumber(redis.call('HGET', KEYS[1], 'count') or 0) > 0 then redis.call('HINCRBY', KEYS[1], 'count', -1) end
if redis.call('HGET', KEYS[1], 'opens') == ARGV[1] then redis.call('HDEL', KEYS[1], 'opens') end
`;
const replySchema = z.tuple([z.number(), z.number()]);

type Count = { count: number; blockedUntilMs: number; endsAtMs: number };
const localCounts = processWide("attempts", () => new Map<string, Count>());
const maxLocalCounts = 10_000;

/**
 * Counts an attempt in the budget of a key, across all instances, or in this process while Redis is unreachable. Throws
 * AppError `too-many-requests`, with the seconds to wait, while the budget is blocked.
 */
export async function countAttempt(key: string, budget: Budget): Promise<CountedAttempt> {
  const limits = [budget.freeFailures, budget.firstBlockSeconds, budget.maxSeconds, budget.windowSeconds];
  const counted = replySchema.safeParse(await inRedis(countScript, key, ...limits)).data;
  const [waitMs, blockedUntilMs] = counted ?? countHere(key, budget, Date.now());
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  const message = authMessages.tryAgainIn(retryAfterSeconds);
  if (waitMs > 0) throw new AppError("too-many-requests", message, { retryAfterSeconds });
  return {
    undo: async () => {
      if (counted) await inRedis(undoScript, key, blockedUntilMs);
      else undoHere(key, blockedUntilMs);
    },
    clear: async () => {
      localCounts.delete(key);
      await inRedis("redis.call('DEL', KEYS[1])", key);
    },
  };
}

async function inRedis(script: string, key: string, ...values: number[]): Promise<unknown> {
  try {
    return await withRedis((redis) => redis.eval(script, 1, key, ...values));
  } catch {
    return null; // counted in this process instead, or left until its window ends
  }
}

// The same as the script. Strangers choose the keys, so the number of keys is limited.
function countHere(key: string, budget: Budget, now: number): [number, number] {
  const running = localCounts.get(key);
  const bucket =
    running && running.endsAtMs > now
      ? running
      : { count: 0, blockedUntilMs: 0, endsAtMs: now + budget.windowSeconds * 1000 };
  if (bucket.blockedUntilMs > now) return [bucket.blockedUntilMs - now, bucket.blockedUntilMs];
  bucket.count += 1;
  localCounts.delete(key); // so that the oldest one is first
  localCounts.set(key, bucket);
  const [oldest] = localCounts.keys();
  if (localCounts.size > maxLocalCounts && oldest) localCounts.delete(oldest);
  const excessFailures = bucket.count - budget.freeFailures;
  if (excessFailures < 1) return [0, 0];
  bucket.blockedUntilMs =
    now + 1000 * Math.min(budget.firstBlockSeconds * 2 ** (excessFailures - 1), budget.maxSeconds);
  return [0, bucket.blockedUntilMs];
}

function undoHere(key: string, blockedUntilMs: number) {
  const bucket = localCounts.get(key);
  if (!bucket) return;
  bucket.count = Math.max(0, bucket.count - 1);
  if (bucket.blockedUntilMs === blockedUntilMs) bucket.blockedUntilMs = 0;
}

// `stepMs`: longer than Auth takes to hash the password of a known address, or to email an unknown one. `failures`: errors
// that reveal something about the address; any other one is the same for every address.
type AttemptKind = { stepMs: number; budget: Budget; failures: ErrorCode[] };

// Auth sends one link a minute and only says so for addresses it can send to, so a second attempt would reveal that.
const oneLink = {
  stepMs: 2_000,
  budget: { freeFailures: 0, firstBlockSeconds: 60, maxSeconds: 60, windowSeconds: 3_600 },
  failures: [],
};
/** The budget for passwords and codes. */
export const guessBudget: Budget = { freeFailures: 5, firstBlockSeconds: 2, maxSeconds: 60, windowSeconds: 3_600 };
const guess: AttemptKind = {
  stepMs: 500,
  budget: guessBudget,
  failures: ["unauthenticated", "forbidden"],
};
const kinds: Record<"sign-in" | "second-factor" | "sign-up" | "recovery" | "email-change", AttemptKind> = {
  "sign-in": guess,
  "second-factor": guess,
  "sign-up": { ...oneLink, failures: ["conflict"] },
  recovery: oneLink,
  "email-change": oneLink,
};
const clientBudget = { freeFailures: 30, firstBlockSeconds: 2, maxSeconds: 60, windowSeconds: 600 };

/** Whether a person is signed in after an attempt, or must still enter a code. */
export type Attempt = { state: "signed-in" | "needs-code" | "not-signed-in" };

/**
 * Runs an attempt to sign in or up, or to send a link, and returns the result of `run`. A failure takes a whole number
 * of steps, so that its duration reveals nothing about the email. It counts for the email and the client, if known. In
 * a browser that has signed in with the email before, it counts only for that browser, so that strangers can't block an
 * account. Throws AppError `too-many-requests` at once while a budget is blocked.
 */
export async function limitAttempts<Result extends Attempt>(
  kind: keyof typeof kinds,
  email: string,
  run: () => Promise<Result>,
): Promise<Result> {
  const begin = performance.now();
  const { stepMs, failures } = kinds[kind];
  const stepEnds = () => pause(stepMs - ((performance.now() - begin) % stepMs));
  const { own, client } = await countInBudgets(kind, email);
  try {
    const result = await run();
    // A browser that only gave the password isn't remembered: otherwise it could guess codes with its own budget.
    if (result.state === "signed-in") await rememberDevice(email);
    if (result.state === "not-signed-in") await stepEnds();
    else await Promise.all([own.clear(), client?.undo()]);
    return result;
  } catch (error) {
    if (error instanceof AppError && failures.includes(error.code)) await stepEnds();
    else await Promise.all([own.undo(), client?.undo()]);
    throw error;
  }
}

async function countInBudgets(kind: keyof typeof kinds, email: string) {
  const { budget } = kinds[kind];
  const device = await knownDevice(email);
  const key = (id: string) => `attempts:${kind}:${id}`;
  if (device) return { own: await countAttempt(key(`device:${device}:${addressKey(email)}`), budget), client: null };
  const address = clientAddress(await headers());
  // The client first: a blocked client must not block an email, not even briefly.
  const client = address && (await countAttempt(key(`client:${clientNetwork(address)}`), clientBudget));
  try {
    return { own: await countAttempt(key(`address:${addressKey(email)}`), budget), client: client || null };
  } catch (error) {
    if (client) await client.undo();
    throw error;
  }
}
