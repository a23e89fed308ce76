import "server-only";
import { logFailure } from "@/lib/log-event";
import { drainNotes } from "@/lib/permissions/drain-notes";
import { processWide } from "@/lib/process-wide";
import { withRedis } from "@/lib/redis";
import { within } from "@/lib/supabase/within";

const patience = 500; // ms that a read waits
const turn = 5_000; // ms between two renewals, of all instances; less than the lease lasts

const state = processWide("lease-renewal", () => ({ underway: undefined as Promise<void> | undefined }));

/**
 * Renews the lapsed lease on what is cached, by carrying out the notes that wait: once, however many of this process ask.
 * It is lapsed still when another instance has the turn, and when that fails or takes longer than that.
 */
export function renewLease(): Promise<void> {
  state.underway ??= renew().finally(() => {
    state.underway = undefined;
  });
  return state.underway;
}

async function renew() {
  // A turn ends by itself and is not given back: what fails, or takes long, is not tried anew by each read.
  const taken = await withRedis((redis) => redis.set("permissions:draining", "1", "PX", turn, "NX"));
  if (taken === null) return;
  try {
    await within(patience, drainNotes("read"));
  } catch (error) {
    logFailure("The lease on cached permissions could not be renewed now.", error);
  }
}
