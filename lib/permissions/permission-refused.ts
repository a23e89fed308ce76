import { AppError } from "@/lib/errors";
import type { Place } from "@/lib/ids";
import { type PermissionKey, permissionKeys } from "@/lib/permissions/permission-keys";

/** A signed-in user reaches the place but lacks a key there. Pages show it as a refusal, actions and routes as a 403. */
export class PermissionRefused extends AppError {
  readonly place: Place;
  readonly key: PermissionKey;

  constructor(place: Place, key: PermissionKey) {
    super("forbidden", `This needs "${permissionKeys[key]}" (${key}). Ask an administrator of the team for it.`);
    this.name = "PermissionRefused";
    this.place = place;
    this.key = key;
  }
}
