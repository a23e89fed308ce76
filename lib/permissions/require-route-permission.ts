import "server-only";
import type { Session } from "@/lib/auth/get-session";
import { AppError } from "@/lib/errors";
import type { Place } from "@/lib/ids";
import { listPlaces } from "@/lib/permissions/list-places";
import { PermissionRefused, PlaceRefused } from "@/lib/permissions/permission-refused";
import { routePermissions } from "@/lib/permissions/route-permissions";

// One status and sentence for a place that is not hers and one that is not there: which of them, nobody is told.
const notOpen = (place: Partial<Place>) =>
  new PlaceRefused(
    place,
    `This ${place.campaign ? "campaign" : "team"} is not open to you. Ask an administrator of its team for access.`,
  );

/**
 * For routes, where nothing is redirected: the user reaches the place and holds one of the keys there; gives all that she
 * holds there. Throws AppError `forbidden` for a place that is not open to her, and PermissionRefused, with the first key,
 * when only the keys are missing.
 */
export async function requireRoutePermission(
  session: Session,
  place: Place,
  ...keys: [PermissionRefused["key"], ...PermissionRefused["key"][]]
): Promise<Session & { permissionKeys: string[] }> {
  const { teamAccess, campaignAccess, permissionKeys } = await routePermissions(session, place);
  if (!(place.campaign === undefined ? teamAccess : campaignAccess)) throw notOpen(place);
  if (!keys.some((key) => permissionKeys.includes(key))) throw new PermissionRefused(place, keys[0]);
  return { ...session, permissionKeys };
}

/** For routes that ask nothing but one's own: any signed-in user. Throws AppError `unauthenticated` where Auth has ended hers. */
export async function signedIn(session: Session): Promise<Session> {
  await routePermissions(session, {});
  return session;
}

// What `listPlaces` keeps is told apart by person, and not by session.
async function placesOf(session: Session) {
  const [teams] = await Promise.all([listPlaces(session), signedIn(session)]);
  return teams;
}

/** For routes: the user reaches the campaign through any of her teams. Throws AppError `forbidden`. */
export async function requireReachedCampaign(session: Session, campaignId: string): Promise<void> {
  const teams = await placesOf(session);
  if (!teams.some(({ campaigns }) => campaigns.some(({ id }) => id === campaignId)))
    throw notOpen({ campaign: campaignId });
}

/**
 * For routes: the user holds `voters.search` in any of her teams or campaigns; gives the teams where, for a search names
 * none. Throws AppError `forbidden`.
 */
export async function requireSearchAnywhere(session: Session): Promise<Session & { teamIds: string[] }> {
  const teams = (await placesOf(session)).filter((team) =>
    [team, ...team.campaigns].some(({ permissionKeys }) => permissionKeys.includes("voters.search")),
  );
  if (teams.length > 0) return { ...session, teamIds: teams.map(({ id }) => id) };
  const error = 'This needs "Search voters" (voters.search). Ask an administrator of your team for it.';
  throw new AppError("forbidden", error);
}
