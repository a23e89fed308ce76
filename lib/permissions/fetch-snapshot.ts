import { publicEnv } from "@/lib/env";
import type { Place } from "@/lib/ids";
import {
  type PermissionsSnapshot,
  permissionsTag,
  snapshotMaxAgeSeconds,
  snapshotSchema,
} from "@/lib/permissions/snapshot";

const timeoutMs = 5_000;

/**
 * The snapshot over plain fetch, for edge code (contract 4.7, fetch-snapshot helper). The contract has it, but nothing in
 * Signet calls it. It is only a hint and must not decide anything: its cache is only invalidated in one instance.
 * Throws unless the function returns a snapshot within 5 s.
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
  const read = async (cache: RequestInit): Promise<unknown> => {
    const response = await fetch(url, {
      headers: { Authorization: `Bearer ${accessToken}` },
      signal: AbortSignal.timeout(timeoutMs), // not part of Next's cache key
      ...cache,
    });
    if (!response.ok) throw new Error(`The snapshot function returned ${response.status}.`);
    return response.json();
  };
  const tags = [permissionsTag(userId)];
  const { data } = snapshotSchema.safeParse(await read({ next: { revalidate: snapshotMaxAgeSeconds, tags } }));
  // Next.js caches any 200. One that isn't a snapshot must not stay for an hour.
  return data ?? snapshotSchema.parse(await read({ cache: "no-store" }));
}
