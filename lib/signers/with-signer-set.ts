import "server-only";
import { AppError } from "@/lib/errors";
import { logFailure } from "@/lib/log-event";
import { processWide } from "@/lib/process-wide";
import { withRedis } from "@/lib/redis";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";
import { within } from "@/lib/supabase/within";

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
