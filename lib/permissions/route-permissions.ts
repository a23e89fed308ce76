import "server-only";
import { createClient, FunctionsHttpError } from "@supabase/supabase-js";
import type { Session } from "@/lib/auth/get-session";
import { publicEnv } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { campaignIdSchema, type Place, teamIdSchema } from "@/lib/ids";
import { cachedByEpoch } from "@/lib/permissions/cached-by-epoch";
import { permissionMessages } from "@/lib/permissions/messages";
import { type PermissionsSnapshot, snapshotSchema } from "@/lib/permissions/snapshot";
import { queryText } from "@/lib/query-text";
import type { Database } from "@/supabase/functions/_shared/database";

const timeoutMs = 5_000;

const noAccess: PermissionsSnapshot = { teamAccess: false, campaignAccess: false, permissionKeys: [] };

/**
 * The snapshot that every page, action and route decides by (contract 4.7, route-permissions helper). No one can ask for
 * another person's: user and token come from one verified session. An invalid id gives no access. Throws AppError
 * `unauthenticated` when the function refuses the token, `unavailable` when it fails.
 */
export async function routePermissions(
  session: Session,
  { team, campaign }: Partial<Place>,
): Promise<PermissionsSnapshot> {
  if (team !== undefined && !teamIdSchema.safeParse(team).success) return noAccess;
  if (campaign !== undefined && !campaignIdSchema.safeParse(campaign).success) {
    return { ...(await routePermissions(session, { team })), campaignAccess: false, permissionKeys: [] };
  }
  return cachedByEpoch({
    name: "permissions-snapshot",
    userId: session.userId,
    sessionId: session.sessionId, // the function refuses an ended session, but its token is valid for up to 15 minutes
    keyParts: ["permissions-snapshot", session.userId, team ?? "", campaign ?? ""],
    compute: () => invokeSnapshotFunction(session.accessToken, { team, campaign }),
  });
}

async function invokeSnapshotFunction(accessToken: string, { team, campaign }: Partial<Place>) {
  const { supabaseUrl, publishableKey } = publicEnv();
  const client = createClient<Database>(supabaseUrl, publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
  });
  // The timeout adds a signal, which keeps the call out of React's fetch memo: a second read in one render must not get a
  // result from before a revoke.
  const { data, error } = await client.functions.invoke(
    `get-permissions-snapshot${queryText({ team_id: team, campaign_id: campaign })}`,
    {
      method: "GET",
      headers: { Authorization: `Bearer ${accessToken}` },
      timeout: timeoutMs,
    },
  );
  if (error instanceof FunctionsHttpError && error.context instanceof Response && error.context.status === 401) {
    throw new AppError("unauthenticated", permissionMessages.sessionEnded, { cause: error });
  }
  if (error) throw new AppError("unavailable", permissionMessages.notRead, { cause: error });
  return snapshotSchema.parse(data);
}
