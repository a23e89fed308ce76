import { randomUUID } from "node:crypto";
import { PermissionsWatch } from "@/components/permissions/permissions-watch";
import { requireUser } from "@/lib/auth/require-user";
import type { Place } from "@/lib/ids";
import { readPermissionsFingerprint } from "@/lib/permissions/read-permissions-fingerprint";

/**
 * Keeps the page that it stands in true while it stays open: when what the user may do changes, the page is made again.
 * Part of each guarded page and not of a layout, so that a page brought back by Back is checked against its own making.
 */
export async function PermissionsCheck({ at = {} }: { at?: Partial<Place> }) {
  const fingerprint = await readPermissionsFingerprint(await requireUser(), at);
  const query = new URLSearchParams(Object.entries(at).filter(([, id]) => id !== undefined)).toString();
  return <PermissionsWatch rendering={randomUUID()} fingerprint={fingerprint} query={query} />;
}
