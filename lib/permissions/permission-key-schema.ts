import { z } from "zod";
import { type PermissionKey, permissionKeys } from "@/lib/permissions/permission-keys";

/** A permission key that came from outside. */
export const permissionKeySchema = z.custom<PermissionKey>(
  (key) => typeof key === "string" && Object.hasOwn(permissionKeys, key),
  "isn't a permission",
);
