import { AppError } from "@/lib/errors";
import type { Place } from "@/lib/ids";
import { type PermissionKey, permissionKeys } from "@/lib/permissions/permission-keys";

export const permissionMessages = {
  notRead: "Couldn't read your permissions. Try again in a moment.",
  notRefreshed: "Couldn't check your access. Try again in a moment.",
  sessionEnded: "Your session has ended. Sign in again.",
};

export const missingCampaign = ["not-found", "This campaign doesn't exist."] as const;

/** A signed-in user can't have what they ask for in this place. */
export class PlaceRefused extends AppError {
  readonly place: Partial<Place>;

  constructor(place: Partial<Place>, message: string) {
    super("forbidden", message);
    this.name = "PlaceRefused";
    this.place = place;
  }
}

/** One message whether the place is someone else's or doesn't exist, so that it doesn't reveal which. */
export function placeRefused(place: Partial<Place>): PlaceRefused {
  const kind = place.campaign === undefined ? "team" : "campaign";
  return new PlaceRefused(place, `You don't have access to this ${kind}. Ask an administrator of its team.`);
}

/** The team requires a second factor, which the session lacks. */
export function secondFactorMissing(place: Partial<Place>): PlaceRefused {
  return new PlaceRefused(place, "This team requires two-factor sign-in. Set it up under Account, then try again.");
}

/** The message for someone without a permission. */
export function needsPermission(key: PermissionKey): string {
  return `You need the “${permissionKeys[key]}” permission. Ask an administrator of the team.`;
}

/** A signed-in user has access to the place but lacks a key there. Pages show it as a refusal, actions and routes as a 403. */
export class PermissionRefused extends PlaceRefused {
  override readonly place: Place;
  readonly key: PermissionKey;

  /** What they can't do, with the place, if it isn't what the key is for in general. */
  readonly act: string | undefined;

  constructor(place: Place, key: PermissionKey, act?: string) {
    super(place, needsPermission(key));
    this.name = "PermissionRefused";
    this.place = place;
    this.key = key;
    this.act = act;
  }
}
