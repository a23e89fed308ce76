import type { Place } from "@/lib/ids";
import { findPlace } from "@/lib/permissions/require-place";

/** The title of a guarded page. It names the place to those alone who reach it. */
export async function placeTitle(page: string, ids: Place): Promise<string> {
  const { team, campaign } = await findPlace(ids);
  return [page, ids.campaign === undefined ? team?.name : campaign?.name].filter(Boolean).join(" · ");
}
