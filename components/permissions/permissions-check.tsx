import { randomUUID } from "node:crypto";
import { PermissionsWatch } from "@/components/permissions/permissions-watch";
import { requireUser } from "@/lib/auth/require-user";
import type { Place } from "@/lib/ids";
import { readPermissionsFingerprint } from "@/lib/permissions/fingerprint";
import { queryText } from "@/lib/query-text";

/**
 * Keeps the page that it stands in true while it stays open: when what the user may do changes, the page is made again.
 * `asking` for somebody who waits there for the answer to a request. Part of each guarded page and not of a layout, so that
 * a page brought back by Back is checked against its own making.
 */
export async function PermissionsCheck({ at = {}, asking = false }: { at?: Partial<Place>; asking?: boolean }) {
  const fingerprint = await readPermissionsFingerprint(await requireUser(), at, asking);
  const query = queryText({ ...at, asking: asking || undefined });
  return <PermissionsWatch rendering={randomUUID()} fingerprint={fingerprint} query={query} soon={asking} />;
}
