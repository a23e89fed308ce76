import "server-only";
import { redirect } from "next/navigation";
import { getSession, type Session } from "@/lib/auth/get-session";
import { redirectToLogin } from "@/lib/auth/redirect-to-login";
import { requireUser } from "@/lib/auth/require-user";
import { AppError } from "@/lib/errors";
import { campaignIdSchema, type Place, teamIdSchema } from "@/lib/ids";
import { logEvent } from "@/lib/log-event";
import {
  type CampaignPlace,
  listPlaces,
  listTeamsLackingSecondFactor,
  type TeamPlace,
} from "@/lib/permissions/list-places";
import { PermissionRefused } from "@/lib/permissions/messages";
import type { PermissionKey } from "@/lib/permissions/permission-keys";
import { routePermissions } from "@/lib/permissions/route-permissions";
import type { PermissionsSnapshot } from "@/lib/permissions/snapshot";
import { withRedis } from "@/lib/redis";

/** What a guard has established: who asks, and what they may do there. */
export type Access = { session: Session; snapshot: PermissionsSnapshot };

/** The signed-in user, and whether they are an active member anywhere (contract 4.1, rule 1). */
export async function requireSignedIn(): Promise<Access> {
  const session = await requireUser();
  return { session, snapshot: await snapshotOrLogin(session, {}) };
}

/**
 * Access to a team. Without it, the user is sent to `/` (contract 4.7, step 2). Without the second factor that the team
 * requires, they are sent to their account.
 */
export function requireTeam(team: string): Promise<Access> {
  return requirePlace({ team });
}

/** Access to a campaign. Without it, the user is sent to `/<team>/campaign/no-access` (contract 4.7, step 2). */
export function requireCampaign(team: string, campaign: string): Promise<Access> {
  return requirePlace({ team, campaign });
}

/** Access to a place and a key there; throws PermissionRefused, naming the `act` that it is for, when only the key is missing. */
export async function requirePermission(place: Place, key: PermissionKey, act?: string): Promise<Access> {
  const access = await requirePlace(place);
  if (!access.snapshot.permissionKeys.includes(key)) {
    logRefusal(access.session, place, "key missing", key);
    throw new PermissionRefused(place, key, act);
  }
  return access;
}

async function requirePlace(place: Place): Promise<Access> {
  const session = await requireUser();
  const snapshot = await snapshotOrLogin(session, place);
  if (!snapshot.teamAccess) {
    logRefusal(session, place, "no active membership");
    await saveRefusedPlace(session.userId, { team: place.team });
    redirect("/");
  }
  if ((await listTeamsLackingSecondFactor(session)).some(({ id }) => id === place.team)) {
    logRefusal(session, place, "second factor missing");
    redirect(`/account?secure=${place.team}`);
  }
  if (place.campaign !== undefined && !snapshot.campaignAccess) {
    logRefusal(session, place, "campaign not reached");
    await saveRefusedPlace(session.userId, place);
    redirect(`/${place.team}/campaign/no-access`);
  }
  return { session, snapshot };
}

function logRefusal({ userId }: Session, { team, campaign }: Place, reason: string, key?: PermissionKey) {
  logEvent("refused", { user: userId, team, campaign, key, why: reason });
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

/** A team, and a campaign of it, if the signed-in user has access. For names and lists: it is not a guard. */
export async function findPlace(
  place: Place,
): Promise<{ team?: TeamPlace | undefined; campaign?: CampaignPlace | undefined }> {
  const session = await getSession();
  const team = session ? (await listPlaces(session)).find(({ id }) => id === place.team) : undefined;
  return { team, campaign: team?.campaigns.find(({ id }) => id === place.campaign) };
}

const refusedKey = (userId: string) => `refused-place:${userId}`;
const refusedForSeconds = 10;
const separator = "/"; // in no id

/** Saves for 10 seconds which team or campaign was refused to a user, for the page they are sent to. */
export async function saveRefusedPlace(userId: string, { team, campaign }: Place): Promise<void> {
  if (!teamIdSchema.safeParse(team).success || !campaignIdSchema.optional().safeParse(campaign).success) return;
  const place = campaign === undefined ? team : team + separator + campaign;
  // If Redis is unreachable, they are sent there without an explanation.
  await withRedis((redis) => redis.set(refusedKey(userId), place, "EX", refusedForSeconds)).catch(() => undefined);
}

/** The team or campaign that was just refused to a user, or null. */
export async function readRefusedPlace(userId: string): Promise<Place | null> {
  const place = await withRedis((redis) => redis.get(refusedKey(userId))).catch(() => null);
  const [team, campaign] = place?.split(separator) ?? [];
  return team === undefined ? null : { team, campaign };
}
