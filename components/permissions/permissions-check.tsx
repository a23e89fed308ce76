import { randomUUID } from "node:crypto";
import { PermissionsWatch } from "@/components/permissions/permissions-watch";
import { requireUser } from "@/lib/auth/require-user";
import type { Place } from "@/lib/ids";
import { readPermissionsFingerprint } from "@/lib/permissions/fingerprint";
import { queryText } from "@/lib/query-text";

/**
 * Renders its page again when the user's permissions change. `asking`: they are waiting for the answer to a request. Part of
 * each guarded page and not of a layout, so that a page restored by Back is checked against its own rendering.
 */
export async function PermissionsCheck({ at = {}, asking = false }: { at?: Partial<Place>; asking?: boolean }) {
  const fingerprint = await readPermissionsFingerprint(await requireUser(), at, asking);
  const query = queryText({ ...at, asking: asking || undefined });
  return <PermissionsWatch rendering={randomUUID()} fingerprint={fingerprint} query={query} frequent={asking} />;
}
