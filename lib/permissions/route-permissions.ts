import "server-only";
import { createClient, FunctionsHttpError } from "@supabase/supabase-js";
import type { Session } from "@/lib/auth/get-session";
import { publicEnv } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { campaignIdSchema, type Place, teamIdSchema } from "@/lib/ids";
import { cachedByEpoch } from "@/lib/permissions/cached-by-epoch";
import { type PermissionsSnapshot, snapshotSchema } from "@/lib/permissions/snapshot";
import type { Database } from "@/supabase/functions/_shared/database";

const timeout = 5_000; // ms

const nothing: PermissionsSnapshot = { teamAccess: false, campaignAccess: false, permissionKeys: [] };

/**
 * The snapshot that every page, action and route decides by (contract 4.7, route-permissions helper). Another
 * person's cannot be asked for: user and token come from one verified session. An id that no team or campaign can have
 * opens nothing. Throws AppError `unauthenticated` when the function refuses the token, `unavailable` when it fails.
 */
export async function routePermissions(
  session: Session,
  { team, campaign }: Partial<Place>,
): Promise<PermissionsSnapshot> {
  if (team !== undefined && !teamIdSchema.safeParse(team).success) return nothing;
  if (campaign !== undefined && !campaignIdSchema.safeParse(campaign).success) {
    return { ...(await routePermissions(session, { team })), campaignAccess: false, permissionKeys: [] };
  }
  return cachedByEpoch({
    name: "permissions-snapshot",
    userId: session.userId,
    sessionId: session.sessionId, // the function refuses one that was ended, whose token is good for up to 15 minutes
    keyParts: ["permissions-snapshot", session.userId, team ?? "", campaign ?? ""],
    compute: () => invokeSnapshotFunction(session.accessToken, { team, campaign }),
  });
}

async function invokeSnapshotFunction(accessToken: string, { team, campaign }: Partial<Place>) {
  const { supabaseUrl, publishableKey } = publicEnv();
  const query = new URLSearchParams();
  if (team !== undefined) query.set("team_id", team);
  if (campaign !== undefined) query.set("campaign_id", campaign);
  const client = createClient<Database>(supabaseUrl, publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
  });
  // The time-out brings a signal, which keeps the call out of React's fetch memo: a second read within one render must
  // not get the answer from before a revoke.
  const { data, error } = await client.functions.invoke(`get-permissions-snapshot?${query}`, {
    method: "GET",
    headers: { Authorization: `Bearer ${accessToken}` },
    timeout,
  });
  if (error instanceof FunctionsHttpError && error.context instanceof Response && error.context.status === 401) {
    throw new AppError("unauthenticated", "Your session has ended. Sign in again.", { cause: error });
  }
  if (error) {
    throw new AppError("unavailable", "Your permissions could not be read. Try again in a moment.", { cause: error });
  }
  return snapshotSchema.parse(data);
}
