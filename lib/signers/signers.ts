import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import { logFailure } from "@/lib/log-event";
import { processWide } from "@/lib/process-wide";
import { withRedis } from "@/lib/redis";
import type { SignerSet } from "@/lib/signers/responses";
import { createAdminClient } from "@/lib/supabase/admin";
import { callSql } from "@/lib/supabase/call-sql";
import { withTimeout } from "@/lib/supabase/with-timeout";
import type { RebuildCounts } from "@/supabase/functions/_shared/rebuild-signers";
import { applySignerChange, signersBuiltKey, signersKey, signersRunKey } from "@/supabase/functions/_shared/signers";

const retryAfterSeconds = 5; // the schedule's interval while a rebuild is requested
const requestTimeoutMs = 200; // a clerk waits for the check; it responds within 500 ms
const requestIntervalMs = 60_000; // a request during a rebuild would start another one after it
const callTimeoutMs = 30_000; // one call starts nothing new after 20 s
const rebuildTimeoutMs = 120_000; // a million signers take less

const requestedAt = processWide("signer-set-requested-at", () => new Map<string, number>());

/**
 * Runs commands on a campaign's set of signers. Throws as `withRedis` does. If the key holds another type, requests a
 * rebuild, which replaces it, and throws AppError `unavailable`.
 */
export async function withSignerSet<Result>(
  campaignId: string,
  run: Parameters<typeof withRedis<Result>>[0],
): Promise<Result> {
  try {
    return await withRedis(run);
  } catch (cause) {
    if (!(cause instanceof Error && cause.message.includes("WRONGTYPE"))) throw cause;
    await withTimeout(requestTimeoutMs, queueRebuild(campaignId)).catch((error) =>
      logFailure("A rebuild could not be requested.", error),
    );
    throw new AppError("unavailable", "The duplicate check is being rebuilt. Try again in a few seconds.", {
      cause,
      retryAfterSeconds,
    });
  }
}

async function queueRebuild(campaignId: string) {
  const now = Date.now();
  if (now - (requestedAt.get(campaignId) ?? 0) < requestIntervalMs) return;
  requestedAt.set(campaignId, now);
  try {
    await callSql("request_signer_rebuilds", { p_campaign_ids: [campaignId] }, z.unknown());
  } catch (error) {
    requestedAt.delete(campaignId);
    throw error;
  }
}

type SignerChange = { campaignId: string; voterId: string; changeNumber: number };

const applyChange = (change: SignerChange & { member: boolean }) =>
  withSignerSet(change.campaignId, (redis) => applySignerChange(redis, change));

/**
 * Adds a voter to the campaign's set of signers for a line change: `present` if they were there, `superseded` if a newer
 * change has been applied. Throws as `hasSigner` does, and when the set can't be written.
 */
export async function addSigner(change: SignerChange): Promise<"added" | "present" | "superseded"> {
  const applied = await applyChange({ ...change, member: true });
  return applied === "superseded" ? applied : applied === 1 ? "added" : "present";
}

/** Removes a voter from the set for a line change: `absent` if they weren't there. Otherwise as `addSigner`. */
export async function removeSigner(change: SignerChange): Promise<"removed" | "absent" | "superseded"> {
  const applied = await applyChange({ ...change, member: false });
  return applied === "superseded" ? applied : applied === 1 ? "removed" : "absent";
}

const runSchema = z.tuple([z.coerce.number().int().nullable(), z.coerce.number().int().nullable()]);

/** The state of a campaign's set of signers. Throws AppError `unavailable` when Redis can't be reached. */
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

const countsSchema = z.object({ campaignId: z.string(), read: z.number(), added: z.number(), dropped: z.number() });
const responseSchema = z.object({ campaigns: z.array(countsSchema), requestNumber: z.number() });

/**
 * Rebuilds a campaign's set of signers from its lines, call by call, while clerks enter lines. Guard first. Throws AppError
 * `unavailable` after 2 minutes; the schedule then continues.
 */
export async function requestRebuild(campaignId: string): Promise<RebuildCounts> {
  const deadline = performance.now() + rebuildTimeoutMs;
  let body: { campaignId: string; requestNumber?: number } = { campaignId };
  let cause: unknown;
  while (performance.now() < deadline) {
    const { data, error } = await createAdminClient().functions.invoke("sync-signers", {
      body,
      timeout: callTimeoutMs,
    });
    if (error) {
      cause = error;
      break;
    }
    const { campaigns, requestNumber } = responseSchema.parse(data);
    const counts = campaigns.find((campaign) => campaign.campaignId === campaignId);
    if (counts) return counts;
    body = { campaignId, requestNumber };
  }
  throw new AppError("unavailable", "Couldn't rebuild the duplicate check. Try again in a minute.", { cause });
}
