import "server-only";
import { z } from "zod";
import { logEvent, logFailure } from "@/lib/log-event";
import { processWide } from "@/lib/process-wide";
import { withRedis } from "@/lib/redis";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";
import { within } from "@/lib/supabase/within";
import { drainPermissionChanges } from "@/supabase/functions/_shared/drain-permission-changes";
import { markDrained, readClock, renewEpochs } from "@/supabase/functions/_shared/permission-epochs";

const notesSchema = z.object({ ids: z.array(z.number()), userIds: z.array(z.string()) });

/** The oldest notes of changed permissions: their ids, and the users they name, each once. */
export async function readNotes(limit: number): Promise<z.infer<typeof notesSchema>> {
  return notesSchema.parse(unwrap(await createAdminClient().rpc("pending_permission_changes", { p_limit: limit })));
}

/**
 * Carries out all notes of changed permissions, as the schedule does, and renews the lease on what is cached. Throws when
 * a step failed: the notes that are left wait.
 */
export async function drainNotes(by: "action" | "read"): Promise<string[]> {
  const users = await drainPermissionChanges({
    readClock: () => withRedis(readClock),
    readNotes,
    renewEpochs: (userIds) => withRedis((redis) => renewEpochs(redis, userIds), { within: 5_000 }),
    deleteNotes: async (ids) => void unwrap(await createAdminClient().rpc("delete_permission_changes", { p_ids: ids })),
    markDrained: (since) => withRedis((redis) => markDrained(redis, since)),
  });
  if (users.length > 0) logEvent("permissions-invalidated", { by, users });
  return users;
}

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
