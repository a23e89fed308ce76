import "server-only";
import { revalidateTag, updateTag } from "next/cache";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import { logEvent, logFailure } from "@/lib/log-event";
import { permissionMessages } from "@/lib/permissions/messages";
import { permissionsTag } from "@/lib/permissions/snapshot";
import { processWide } from "@/lib/process-wide";
import { withRedis } from "@/lib/redis";
import { callSql } from "@/lib/supabase/call-sql";
import { withTimeout } from "@/lib/supabase/with-timeout";
import { changesPerBatch, drainPermissionChanges } from "@/supabase/functions/_shared/drain-permission-changes";
import { markDrained, readClock, renewEpochs } from "@/supabase/functions/_shared/permission-epochs";

/**
 * Applies a change of permissions everywhere, for all users it affects (contract 6). Server actions call it after their
 * change and before they return. False if that isn't possible now: the change is saved, and applies within 10 seconds.
 */
export async function invalidatePermissions(): Promise<boolean> {
  try {
    // Before Redis: while Redis fails, only the tag prevents an old "yes" in this instance.
    const { userIds } = await readPending(changesPerBatch);
    const invalidated = new Set(userIds);
    for (const userId of invalidated) updateTag(permissionsTag(userId));
    for (const userId of await drainPending("action")) if (!invalidated.has(userId)) updateTag(permissionsTag(userId));
    return true;
  } catch (error) {
    logFailure("Permissions could not be invalidated now; the changes stay pending.", error);
    return false;
  }
}

/**
 * Drops all cached snapshots of a user, from a route (contract 4.6). Throws AppError `unavailable` when the epoch
 * could not be renewed; the tag is invalidated regardless.
 */
export async function refreshPermissions(userId: string): Promise<void> {
  revalidateTag(permissionsTag(userId), { expire: 0 });
  try {
    await withRedis((redis) => renewEpochs(redis, [userId]));
  } catch (cause) {
    throw new AppError("unavailable", permissionMessages.notRefreshed, { cause, retryAfterSeconds: 1 });
  }
  logEvent("permissions-invalidated", { by: "refresh", users: [userId] });
}

/** Drops the user's cached permissions after sessions ended, which isn't undone. False, and logged, if that failed. */
export async function tryRefreshPermissions(userId: string): Promise<boolean> {
  try {
    await refreshPermissions(userId);
    return true;
  } catch (error) {
    logFailure("Cached permissions stay until the tokens of their sessions expire.", error);
    return false;
  }
}

const pendingSchema = z.object({
  ids: z.array(z.number()),
  userIds: z.array(z.string()),
  endsInMs: z.number().nullable(),
});

/** The oldest pending changes: their ids, and the users they name, each once. Also when more access ends. */
async function readPending(limit: number): Promise<z.infer<typeof pendingSchema>> {
  return callSql("pending_permission_changes", { p_limit: limit }, pendingSchema);
}

/**
 * Processes all pending changes, as the schedule does, and renews the lease. Throws when a step failed; the remaining
 * changes stay pending.
 */
export async function drainPending(by: "action" | "read"): Promise<string[]> {
  const users = await drainPermissionChanges({
    readClock: () => withRedis(readClock),
    readPending,
    renewEpochs: (userIds) => withRedis((redis) => renewEpochs(redis, userIds), { within: 5_000 }),
    deletePending: async (ids) => void (await callSql("delete_permission_changes", { p_ids: ids }, z.unknown())),
    markDrained: (since, endsInMs) => withRedis((redis) => markDrained(redis, since, endsInMs)),
  });
  if (users.length > 0) logEvent("permissions-invalidated", { by, users });
  return users;
}

const readTimeoutMs = 500;
const renewalIntervalMs = 5_000; // between two renewals, across all instances; less than the lease lasts

const state = processWide("lease-renewal", () => ({ underway: undefined as Promise<void> | undefined }));

/**
 * Renews the expired lease on cached permissions by processing pending changes, once for all callers in this process.
 * It stays expired if another instance is renewing it, or if that fails or times out.
 */
export function renewLease(): Promise<void> {
  state.underway ??= renew().finally(() => {
    state.underway = undefined;
  });
  return state.underway;
}

async function renew() {
  // The lock is never released early, so a failing or slow renewal isn't retried by every read.
  const locked = await withRedis((redis) => redis.set("permissions:draining", "1", "PX", renewalIntervalMs, "NX"));
  if (locked === null) return;
  try {
    await withTimeout(readTimeoutMs, drainPending("read"));
  } catch (error) {
    logFailure("The lease on cached permissions could not be renewed now.", error);
  }
}
