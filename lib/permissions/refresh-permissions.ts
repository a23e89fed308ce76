import "server-only";
import { revalidateTag } from "next/cache";
import { AppError } from "@/lib/errors";
import { logEvent, logFailure } from "@/lib/log-event";
import { permissionsTag } from "@/lib/permissions/permissions-tag";
import { withRedis } from "@/lib/redis";
import { renewEpochs } from "@/supabase/functions/_shared/permission-epochs";

/**
 * Drops all cached snapshots of a user, from a route (contract 4.6). Throws AppError `unavailable` when the epoch
 * could not be renewed; the tag is invalidated all the same.
 */
export async function refreshPermissions(userId: string): Promise<void> {
  revalidateTag(permissionsTag(userId), { expire: 0 });
  try {
    await withRedis((redis) => renewEpochs(redis, [userId]));
  } catch (cause) {
    throw new AppError("unavailable", "Your permissions could not be refreshed. Try again in a moment.", {
      cause,
      retryAfter: 1,
    });
  }
  logEvent("permissions-invalidated", { by: "refresh", users: [userId] });
}

/** The same once sessions have ended, which stays so: false, and logged, when the epoch could not be renewed. */
export async function tryRefreshPermissions(userId: string): Promise<boolean> {
  try {
    await refreshPermissions(userId);
    return true;
  } catch (error) {
    logFailure("Cached permissions stay until the tokens of their sessions expire.", error);
    return false;
  }
}
