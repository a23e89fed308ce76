import { publicEnv } from "@/lib/env";
import type { Place } from "@/lib/ids";
import { type PermissionsSnapshot, permissionsTag, snapshotSchema } from "@/lib/permissions/snapshot";

const timeout = 5_000; // ms

/**
 * The snapshot over plain fetch, for edge code (contract 4.7, fetch-snapshot helper). Kept because the contract has it:
 * nothing in Signet calls it, as the session step only drops snapshots on a hard reload. A hint only: its cache has the
 * tag alone, which reaches one instance. Nothing may be decided by it. Throws when the function does not answer 200 within
 * 5 s.
 */
export async function fetchSnapshot({
  userId,
  accessToken,
  team,
  campaign,
}: { userId: string; accessToken: string } & Partial<Place>): Promise<PermissionsSnapshot> {
  const url = new URL(`${publicEnv().supabaseUrl}/functions/v1/get-permissions-snapshot`);
  if (team !== undefined) url.searchParams.set("team_id", team);
  if (campaign !== undefined) url.searchParams.set("campaign_id", campaign);
  const response = await fetch(url, {
    headers: { Authorization: `Bearer ${accessToken}` },
    signal: AbortSignal.timeout(timeout), // no part of what Next caches by
    next: { revalidate: 3600, tags: [permissionsTag(userId)] },
  });
  if (!response.ok) throw new Error(`The snapshot function answered ${response.status}.`);
  return snapshotSchema.parse(await response.json());
}
