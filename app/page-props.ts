import type { Metadata } from "next";
import type { CampaignOfTeam, Place } from "@/lib/ids";
import { findPlace } from "@/lib/permissions/require-place";

type Query = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** The props of a team page. */
export type TeamProps = Query & { params: Promise<{ team: string }> };

/** What a page of a campaign gets. */
export type CampaignProps = Query & { params: Promise<CampaignOfTeam> };

/** The title of a guarded page. It names the team or campaign only to people who can open it. */
export function pageMetadata(page: string) {
  return async ({ params }: { params: Promise<Place> }): Promise<Metadata> => {
    const place = await params;
    const { team, campaign } = await findPlace(place);
    const name = place.campaign === undefined ? team?.name : campaign?.name;
    return { title: [page, name].filter(Boolean).join(" · ") };
  };
}
