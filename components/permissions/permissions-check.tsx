import { randomUUID } from "node:crypto";
import { PermissionsWatch } from "@/components/permissions/permissions-watch";
import { requireUser } from "@/lib/auth/require-user";
import type { Place } from "@/lib/ids";
import { readPermissionsFingerprint } from "@/lib/permissions/fingerprint";
import { queryText } from "@/lib/query-text";

/**
 * Renders its page again when the user's permissions change. `isRequestPending`: they are waiting for an answer, or for access. Part of
 * each guarded page and not of a layout, so that a page restored by Back is checked against its own rendering.
 */
export async function PermissionsCheck({
  at = {},
  isRequestPending = false,
}: {
  at?: Partial<Place>;
  isRequestPending?: boolean;
}) {
  const fingerprint = await readPermissionsFingerprint(await requireUser(), at, isRequestPending);
  const query = queryText({ ...at, asking: isRequestPending || undefined });
  return (
    <PermissionsWatch rendering={randomUUID()} fingerprint={fingerprint} query={query} frequent={isRequestPending} />
  );
}
