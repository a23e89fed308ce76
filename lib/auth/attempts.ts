import "server-only";
import { setTimeout as pause } from "node:timers/promises";
import { headers } from "next/headers";
import { z } from "zod";
import { addressKey, knownDevice, rememberDevice } from "@/lib/auth/device-cookie";
import { clientAddress, clientNetwork } from "@/lib/client-address";
import { AppError, type ErrorCode } from "@/lib/errors";
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

type Attempts = { step: number; budget: Budget; failures: ErrorCode[] };

// `step` in ms: longer than Auth takes to hash the password of an address that it knows, or to e-mail one that it does not.
// `failures`: what says something of the address. By anything else Auth is away, or says the same of every address.
// Auth sends a link once a minute, and tells of it those alone whose address it can send to: a second attempt would show it.
const oneLink = { step: 2_000, budget: { free: 0, first: 60, longest: 60, window: 3_600 }, failures: [] };
const guess: Attempts = {
  step: 500,
  budget: { free: 5, first: 2, longest: 60, window: 3_600 },
  failures: ["unauthenticated", "forbidden"],
};
const kinds: Record<"sign-in" | "second-factor" | "sign-up" | "recovery" | "email-change", Attempts> = {
  "sign-in": guess,
  "second-factor": guess,
  "sign-up": { ...oneLink, failures: ["conflict"] },
  recovery: oneLink,
  "email-change": oneLink,
};
const clientBudget = { free: 30, first: 2, longest: 60, window: 600 };

/**
 * Runs an attempt to sign in or up, or to have a link sent, which gives whether she is signed in now, or half of it. A failed
 * one is answered at a whole number of steps from its begin, so that the time tells nothing of the address, and counts in the
 * budgets of the address and of the client, where that is known. In a browser that signed in to the address before it counts
 * in the browser's own budget alone: a stranger slows an address down, but not for those who use it. Throws AppError
 * `too-many-requests` at once, and runs nothing, while a budget is closed.
 */
export async function limitAttempts(
  kind: keyof typeof kinds,
  email: string,
  run: () => Promise<boolean | "half">,
): Promise<boolean> {
  const begin = performance.now();
  const { step, failures } = kinds[kind];
  const stepEnds = () => pause(step - ((performance.now() - begin) % step));
  const { own, client } = await countInBudgets(kind, email);
  try {
    const isSignedIn = await run();
    // A browser that has shown the password alone is no known one: it would have codes of its own to guess.
    if (isSignedIn === true) await rememberDevice(email);
    if (isSignedIn) await Promise.all([own.clear(), client?.undo()]);
    else await stepEnds();
    return isSignedIn !== false;
  } catch (error) {
    if (error instanceof AppError && failures.includes(error.code)) await stepEnds();
    else await Promise.all([own.undo(), client?.undo()]);
    throw error;
  }
}

async function countInBudgets(kind: keyof typeof kinds, email: string) {
  const { budget } = kinds[kind];
  const device = await knownDevice(email);
  const key = (of: string) => `attempts:${kind}:${of}`;
  if (device) return { own: await countAttempt(key(`device:${device}:${addressKey(email)}`), budget), client: null };
  const address = clientAddress(await headers());
  // The client first: a client that is refused must not close an address, not even for a moment.
  const client = address && (await countAttempt(key(`client:${clientNetwork(address)}`), clientBudget));
  try {
    return { own: await countAttempt(key(`address:${addressKey(email)}`), budget), client: client || null };
  } catch (error) {
    if (client) await client.undo();
    throw error;
  }
}
