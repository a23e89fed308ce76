import "server-only";
import { setTimeout as pause } from "node:timers/promises";
import { headers } from "next/headers";
import { addressKey } from "@/lib/auth/address-key";
import { type Budget, countAttempt } from "@/lib/auth/count-attempt";
import { knownDevice, rememberDevice } from "@/lib/auth/device-cookie";
import { clientAddress, clientNetwork } from "@/lib/client-address";
import { AppError, type ErrorCode } from "@/lib/errors";

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
