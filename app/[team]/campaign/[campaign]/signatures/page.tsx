import type { Metadata } from "next";
import {
  submitCloseSheet,
  submitLine,
  submitOpenSheet,
  submitRemoval,
} from "@/app/[team]/campaign/[campaign]/signatures/actions";
import { placeTitle } from "@/app/place-title";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { refusable } from "@/components/permissions/refusable";
import { PageBar } from "@/components/shell/page-bar";
import { SignatureEntry } from "@/components/signatures/signature-entry";
import { SignatureSheets } from "@/components/signatures/signature-sheets";
import { TeamLineList } from "@/components/signatures/team-line-list";
import { readCampaignSearchProfile } from "@/lib/campaigns/read-campaign-search-profile";
import { findPlace } from "@/lib/permissions/find-place";
import { requirePermission } from "@/lib/permissions/require-place";
import { paperNumberSchema } from "@/lib/signatures/line-schema";
import { listTeamLines } from "@/lib/signatures/list-team-lines";
import { readEntryState } from "@/lib/signatures/read-entry-state";
import { searchCredentials } from "@/lib/voters/search-credentials";

type Props = {
  params: Promise<{ team: string; campaign: string }>;
  searchParams: Promise<{ sheet?: string | string[] }>;
};

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: await placeTitle("Signatures", await params) };
}

/**
 * `/[team]/campaign/[campaign]/signatures`: sheets and lines, with `signatures.view`; the form for those who hold
 * `signatures.enter`. `?sheet=12` shows the lines of a sheet, whoever keyed them.
 */
export default refusable(async function SignaturesPage({ params, searchParams }: Props) {
  const place = await params;
  const { session, snapshot } = await requirePermission(place, "signatures.view");
  const { userId } = session;
  const may = (key: string) => snapshot.permissionKeys.includes(key);
  const asked = paperNumberSchema.safeParse(Number((await searchParams).sheet));
  const sheet = asked.success ? asked.data : null;
  const [{ campaign }, profile, state, lines] = await Promise.all([
    findPlace(place),
    readCampaignSearchProfile(place.campaign),
    readEntryState({ ...place, actorId: userId }),
    sheet !== null || !may("signatures.enter") ? listTeamLines({ ...place, sheet }) : null,
  ]);

  const ofTeam = lines && (
    <TeamLineList
      key={sheet}
      lines={lines}
      sheet={sheet}
      place={place}
      removable={{ own: may("signatures.enter"), others: may("signatures.remove"), userId }}
      removal={submitRemoval}
    />
  );
  return (
    <>
      <PageBar place={campaign?.name ?? place.campaign} title="Signatures" />
      <PermissionsCheck at={place} />
      {may("signatures.enter") ? (
        <SignatureEntry
          key={`${userId} ${place.team}/${place.campaign}`}
          userId={userId}
          place={place}
          source={{ path: "/api/essearch", credentials: searchCredentials(profile) }}
          initial={state}
          actions={{ submitLine, submitRemoval, submitOpenSheet, submitCloseSheet }}
        >
          {ofTeam}
        </SignatureEntry>
      ) : (
        <SignatureSheets state={state} place={place}>
          {ofTeam}
        </SignatureSheets>
      )}
    </>
  );
});
