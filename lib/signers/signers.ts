import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import { logFailure } from "@/lib/log-event";
import { processWide } from "@/lib/process-wide";
import { withRedis } from "@/lib/redis";
import type { SignerSet } from "@/lib/signers/answers";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";
import { within } from "@/lib/supabase/within";
import type { RebuildCounts } from "@/supabase/functions/_shared/rebuild-signers";
import { applySignerChange, signersBuiltKey, signersKey, signersRunKey } from "@/supabase/functions/_shared/signers";

const retryAfter = 5; // seconds between the schedule's calls while a rebuild is requested
const askTimeoutMs = 200; // whoever asks is answered within 500 ms (contract 4.4)
const askIntervalMs = 60_000; // a request during a rebuild would start another one after it

const askedAt = processWide("signer-set-asked-at", () => new Map<string, number>());

/**
 * Runs commands on a campaign's set of signers. Throws as `withRedis` does; where something of another type is in its
 * place, requests a rebuild, which replaces it, and throws AppError `unavailable`.
 */
export async function withSignerSet<Result>(
  campaignId: string,
  run: Parameters<typeof withRedis<Result>>[0],
): Promise<Result> {
  try {
    return await withRedis(run);
  } catch (cause) {
    if (!(cause instanceof Error && cause.message.includes("WRONGTYPE"))) throw cause;
    await within(askTimeoutMs, askForRebuild(campaignId)).catch((error) =>
      logFailure("A rebuild could not be requested.", error),
    );
    throw new AppError("unavailable", "The duplicate check is being rebuilt. Try again in a few seconds.", {
      cause,
      retryAfter,
    });
  }
}

async function askForRebuild(campaignId: string) {
  const now = Date.now();
  if (now - (askedAt.get(campaignId) ?? 0) < askIntervalMs) return;
  askedAt.set(campaignId, now);
  try {
    unwrap(await createAdminClient().rpc("ask_for_signers", { p_campaign_ids: [campaignId] }));
  } catch (error) {
    askedAt.delete(campaignId);
    throw error;
  }
}

/**
 * Adds a voter to the campaign's set of signers, as the change of her line with this number says: `added`, `present` when
 * she was there already, `superseded` when a newer change has been applied. Throws as `hasSigner` does, and when the set
 * cannot be written.
 */
export async function addSigner(change: {
  campaignId: string;
  voterId: string;
  changeNumber: number;
}): Promise<"added" | "present" | "superseded"> {
  const applied = await withSignerSet(change.campaignId, (redis) =>
    applySignerChange(redis, { ...change, member: true }),
  );
  if (applied === "superseded") return applied;
  return applied === 1 ? "added" : "present";
}

/**
 * Removes a voter from the campaign's set of signers, as the change of her line with this number says: `removed`,
 * `absent` when she was not there, `superseded` when a newer change has been applied. Throws as `addSigner` does.
 */
export async function removeSigner(change: {
  campaignId: string;
  voterId: string;
  changeNumber: number;
}): Promise<"removed" | "absent" | "superseded"> {
  const applied = await withSignerSet(change.campaignId, (redis) =>
    applySignerChange(redis, { ...change, member: false }),
  );
  if (applied === "superseded") return applied;
  return applied === 1 ? "removed" : "absent";
}

const runSchema = z.tuple([z.coerce.number().int().nullable(), z.coerce.number().int().nullable()]);

/** What the duplicate check of a campaign asks, as it is now. Throws AppError `unavailable` when Redis is away. */
export function readSignerSet(campaignId: string): Promise<SignerSet> {
  return withSignerSet(campaignId, async (redis) => {
    const [members, builtAt, run] = await Promise.all([
      redis.scard(signersKey(campaignId)),
      redis.hget(signersBuiltKey(campaignId), "at"),
      redis.hmget(signersRunKey(campaignId), "read", "total"),
    ]);
    const [read, total] = runSchema.parse(run);
    return { members, builtAt, running: read === null || total === null ? null : { read, total } };
  });
}

const timeout = 30_000; // ms of one call, which begins nothing more after 20 s
const patience = 120_000; // ms; a million signers take less

const countsSchema = z.object({ campaignId: z.string(), read: z.number(), added: z.number(), dropped: z.number() });
const answerSchema = z.object({ campaigns: z.array(countsSchema), asked: z.number() });

/**
 * Builds a campaign's set of signers anew from its lines, call by call, while entry goes on. Guard first. Throws AppError
 * `unavailable` when that was not done in 2 minutes: the schedule goes on with it.
 */
export async function requestRebuild(campaignId: string): Promise<RebuildCounts> {
  const until = performance.now() + patience;
  let body: { campaignId: string; asked?: number } = { campaignId };
  let cause: unknown;
  while (performance.now() < until) {
    const { data, error } = await createAdminClient().functions.invoke("sync-signers", { body, timeout });
    if (error) {
      cause = error;
      break;
    }
    const { campaigns, asked } = answerSchema.parse(data);
    const counts = campaigns.find((campaign) => campaign.campaignId === campaignId);
    if (counts) return counts;
    body = { campaignId, asked };
  }
  throw new AppError("unavailable", "The duplicate check could not be rebuilt now. Try again in a minute.", { cause });
}
