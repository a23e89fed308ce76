import "server-only";
import type { Session } from "@/lib/auth/get-session";
import { AppError } from "@/lib/errors";
import type { Place } from "@/lib/ids";
import { listPlaces, listTeamsLackingSecondFactor } from "@/lib/permissions/list-places";
import { needsPermission, PermissionRefused, placeRefused, secondFactorMissing } from "@/lib/permissions/messages";
import { routePermissions } from "@/lib/permissions/route-permissions";

/**
 * Requires access to the place and one of the keys there, without redirecting. Returns all of the user's keys there. Throws
 * PlaceRefused without access or the second factor that the team requires. Throws PermissionRefused, with the first key, if
 * only the keys are missing.
 */
export async function requireRoutePermission(
  session: Session,
  place: Place,
  ...keys: [PermissionRefused["key"], ...PermissionRefused["key"][]]
): Promise<Session & { permissionKeys: string[] }> {
  const [{ teamAccess, campaignAccess, permissionKeys }, teamsRequiringSecondFactor] = await Promise.all([
    routePermissions(session, place),
    listTeamsLackingSecondFactor(session),
  ]);
  if (!(place.campaign === undefined ? teamAccess : campaignAccess)) throw placeRefused(place);
  if (teamsRequiringSecondFactor.some(({ id }) => id === place.team)) throw secondFactorMissing(place);
  if (!keys.some((key) => permissionKeys.includes(key))) throw new PermissionRefused(place, keys[0]);
  return { ...session, permissionKeys };
}

/** Requires any signed-in user, for routes about the user. Throws AppError `unauthenticated` if Auth has ended the session. */
export async function signedIn(session: Session): Promise<Session> {
  await routePermissions(session, {});
  return session;
}

// `listPlaces` caches by user and not by session.
async function listAllPlaces(session: Session) {
  const [teams] = await Promise.all([listPlaces(session), signedIn(session)]);
  return teams;
}

/** Requires access to the campaign through any of the user's teams. Throws PlaceRefused. */
export async function requireCampaignAccess(session: Session, campaignId: string): Promise<void> {
  const teams = await listAllPlaces(session);
  if (!teams.some(({ campaigns }) => campaigns.some(({ id }) => id === campaignId))) {
    throw placeRefused({ campaign: campaignId });
  }
}

/**
 * Requires `voters.search` in any of the user's teams or campaigns. Returns the teams where, because a search names none.
 * Throws AppError `forbidden`.
 */
export async function requireSearchAnywhere(session: Session): Promise<Session & { teamIds: string[] }> {
  const teams = (await listAllPlaces(session)).filter((team) =>
    [team, ...team.campaigns].some(({ permissionKeys }) => permissionKeys.includes("voters.search")),
  );
  if (teams.length === 0) throw new AppError("forbidden", needsPermission("voters.search"));
  return { ...session, teamIds: teams.map(({ id }) => id) };
}
