import { AppError } from "@/lib/errors";
import type { Place } from "@/lib/ids";
import { type PermissionKey, permissionKeys } from "@/lib/permissions/permission-keys";

/** What a signed-in user asks for lies in a place where she may not have it. */
export class PlaceRefused extends AppError {
  readonly place: Partial<Place>;

  constructor(place: Partial<Place>, message: string) {
    super("forbidden", message);
    this.name = "PlaceRefused";
    this.place = place;
  }
}

/** A signed-in user reaches the place but lacks a key there. Pages show it as a refusal, actions and routes as a 403. */
export class PermissionRefused extends PlaceRefused {
  override readonly place: Place;
  readonly key: PermissionKey;

  /** What cannot be opened, where that is not what the key opens in general. */
  readonly opens: string | undefined;

  constructor(place: Place, key: PermissionKey, opens?: string) {
    super(place, `This needs "${permissionKeys[key]}" (${key}). Ask an administrator of the team for it.`);
    this.name = "PermissionRefused";
    this.place = place;
    this.key = key;
    this.opens = opens;
  }
}
