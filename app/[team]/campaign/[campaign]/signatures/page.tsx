import { redirect } from "next/navigation";
import {
  deleteSheet,
  moveLine,
  removeLine,
  renumberSheet,
  saveSheetDetails,
} from "@/app/[team]/campaign/[campaign]/signatures/actions";
import { type CampaignProps, pageMetadata } from "@/app/page-props";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { withRefusal } from "@/components/permissions/refusal";
import { CampaignCount } from "@/components/shell/campaign-count";
import { IgnoredFilters } from "@/components/shell/ignored-filters";
import { PageBar } from "@/components/shell/page-bar";
import { SignatureEntry } from "@/components/signatures/entry/signature-entry";
import { ButtonLink, TextLink } from "@/components/ui/link";
import { readCampaignSearchProfile } from "@/lib/campaigns/campaigns";
import { findPlace, requirePermission } from "@/lib/permissions/require-place";
import { readEntryState } from "@/lib/signatures/entry-state";
import { changePermission } from "@/lib/signatures/lines";
import { readRegisterChoices } from "@/lib/signatures/register/register";
import { registerPath } from "@/lib/signatures/register/register-path";
import { ignoredOpenedLine, openedLineSchema } from "@/lib/signatures/sheet-filter";
import { searchSource } from "@/lib/voters/search-profile";

export const generateMetadata = pageMetadata("Signatures");

/**
 * `/[team]/campaign/[campaign]/signatures`: data entry with `signatures.enter`, at the sheet and line of the address;
 * others are redirected to the sheets.
 */
export default withRefusal(async function SignaturesPage({ params, searchParams }: CampaignProps) {
  const place = await params;
  const { session, snapshot } = await requirePermission(place, "signatures.view");
  const { userId } = session;
  const sheetsPath = `/${place.team}/campaign/${place.campaign}/signatures/sheets`;
  if (!snapshot.permissionKeys.includes("signatures.enter")) redirect(sheetsPath);
  const query = await searchParams;
  const opened = openedLineSchema.parse(query);
  const [{ campaign }, profile, state, { circulators }] = await Promise.all([
    findPlace(place),
    readCampaignSearchProfile(place.campaign),
    readEntryState({ ...place, actorId: userId, sheet: opened.sheet ?? null }),
    readRegisterChoices(place),
  ]);
  const canRemove = snapshot.permissionKeys.includes(changePermission(false));
  const isArchived = campaign?.archivedAt != null;
  return (
    <>
      <PageBar place={campaign?.name ?? place.campaign} title="Signatures">
        {snapshot.permissionKeys.includes("campaign.view") && (
          <CampaignCount accepted={state.campaign.accepted} goal={state.goal} className="max-md:hidden" />
        )}
        <ButtonLink href={sheetsPath} variant="ghost">
          Sheets
        </ButtonLink>
        <ButtonLink href={registerPath(place)} variant="ghost">
          All lines
        </ButtonLink>
      </PageBar>
      <PermissionsCheck at={place} />
      <IgnoredFilters ignored={ignoredOpenedLine(query)} />
      {isArchived && (
        <p className="border-b px-4 py-6 md:px-6">
          This campaign is archived, so you can't enter lines.{" "}
          {snapshot.permissionKeys.includes("members.manage") ? (
            <TextLink href={`/${place.team}/campaign/${place.campaign}/settings`}>Restore it in its settings</TextLink>
          ) : (
            <TextLink href={sheetsPath}>View its sheets</TextLink>
          )}
        </p>
      )}
      <SignatureEntry
        key={`${userId} ${place.team}/${place.campaign}`}
        userId={userId}
        place={place}
        source={searchSource(profile)}
        initial={state}
        opened={opened}
        circulators={circulators}
        canRemove={canRemove}
        isArchived={isArchived}
        actions={{ saveSheetDetails, renumberSheet, deleteSheet, moveLine, removeLine }}
      />
    </>
  );
});
