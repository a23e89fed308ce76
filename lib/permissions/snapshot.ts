import { z } from "zod";
import { type PermissionKey, permissionKeys } from "@/lib/permissions/permission-keys";

/** The cache tag of all snapshots of a user (contract 4.7). */
export function permissionsTag(userId: string) {
  return `permissions-${userId}`;
}

/** How long a snapshot is cached (contract 8). */
export const snapshotMaxAgeSeconds = 3600;

/** The contract's PermissionsSnapshot (2.1). */
export const snapshotSchema = z.object({
  teamAccess: z.boolean(),
  /** Present only for a campaign. */
  campaignAccess: z.boolean().optional(),
  permissionKeys: z.array(z.string()).default([]),
});
export type PermissionsSnapshot = z.infer<typeof snapshotSchema>;

/** A permission key that came from outside. */
export const permissionKeySchema = z.custom<PermissionKey>(
  (key) => typeof key === "string" && Object.hasOwn(permissionKeys, key),
  "isn't a permission",
);
