import "server-only";
import { redirect } from "next/navigation";
import type { Session } from "@/lib/auth/get-session";
import { redirectToLogin } from "@/lib/auth/redirect-to-login";
import { requireUser } from "@/lib/auth/require-user";
import { AppError } from "@/lib/errors";
import type { Place } from "@/lib/ids";
import { logEvent } from "@/lib/log-event";
import type { PermissionKey } from "@/lib/permissions/permission-keys";
import { PermissionRefused } from "@/lib/permissions/permission-refused";
import { keepRefusedPlace } from "@/lib/permissions/refused-place";
import { routePermissions } from "@/lib/permissions/route-permissions";
import type { PermissionsSnapshot } from "@/lib/permissions/snapshot";

/** What a guard has found out: who asks, where, and what she may do there. */
export type Access = { session: Session; snapshot: PermissionsSnapshot };

/** The signed-in user, and whether she is an active member anywhere (contract 4.1, rule 1). */
export async function requireHome(): Promise<Access> {
  const session = await requireUser();
  return { session, snapshot: await snapshotOrLogin(session, {}) };
}

/** Access to a team; without it the user is sent to `/` (contract 4.7, page flow 2). */
export function requireTeam(team: string): Promise<Access> {
  return requirePlace({ team });
}

/** Access to a campaign; without it the user is sent to `/<team>/campaign/no-access` (contract 4.7, page flow 2). */
export function requireCampaign(team: string, campaign: string): Promise<Access> {
  return requirePlace({ team, campaign });
}

/** Access to a team or campaign and a key there; throws PermissionRefused when only the key is missing. */
export async function requirePermission(place: Place, key: PermissionKey): Promise<Access> {
  const access = await requirePlace(place);
  if (!access.snapshot.permissionKeys.includes(key)) {
    refused(access.session, place, "key missing", key);
    throw new PermissionRefused(place, key);
  }
  return access;
}

async function requirePlace(place: Place): Promise<Access> {
  const session = await requireUser();
  const snapshot = await snapshotOrLogin(session, place);
  if (!snapshot.teamAccess) {
    refused(session, place, "no active membership");
    await keepRefusedPlace(session.userId, { team: place.team });
    redirect("/");
  }
  if (place.campaign !== undefined && !snapshot.campaignAccess) {
    refused(session, place, "campaign not reached");
    await keepRefusedPlace(session.userId, place);
    redirect(`/${place.team}/campaign/no-access`);
  }
  return { session, snapshot };
}

function refused({ userId }: Session, { team, campaign }: Place, why: string, key?: PermissionKey) {
  logEvent("refused", { user: userId, team, campaign, key, why });
}

// A deleted user or a revoked session still has a valid token; the function asks Auth and notices.
async function snapshotOrLogin(session: Session, place: Partial<Place>) {
  try {
    return await routePermissions(session, place);
  } catch (error) {
    if (error instanceof AppError && error.code === "unauthenticated") return redirectToLogin();
    throw error;
  }
}
