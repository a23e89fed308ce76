import "server-only";
import { createHash } from "node:crypto";
import { getSession } from "@/lib/permissions/get-session";
import { permissionPlaces } from "@/lib/permissions/permission-places";

/** A text that changes exactly when what the user may do, anywhere, changes. */
export async function permissionsFingerprint(): Promise<string> {
  const session = await getSession();
  const places = session ? await permissionPlaces(session) : [];
  return createHash("sha256").update(JSON.stringify(places)).digest("base64url").slice(0, 16);
}
