import { previewAccess, saveAccess } from "@/app/[team]/actions";
import { editCampaign } from "@/app/[team]/campaign/actions";
import { type CampaignProps, pageMetadata } from "@/app/page-props";
import { CampaignActions } from "@/components/campaigns/campaign-actions";
import { CampaignSettingsForm } from "@/components/campaigns/campaign-settings-form";
import { ErasureNote } from "@/components/campaigns/erasure-note";
import { SharingSteps } from "@/components/campaigns/team-campaigns";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { withRefusal } from "@/components/permissions/refusal";
import { PageBar } from "@/components/shell/page-bar";
import { AccessChanges } from "@/components/team-access/access-changes";
import { Section } from "@/components/ui/section";
import { listAreas, listSearchProfiles, readCampaignFacts } from "@/lib/campaigns/campaigns";
import { formatOf } from "@/lib/format/format-of";
import { listPlaces } from "@/lib/permissions/list-places";
import { findPlace, requireCampaign, requirePermission } from "@/lib/permissions/require-place";

export const generateMetadata = pageMetadata("Campaign settings");

/** `/[team]/campaign/[campaign]/settings`: the campaign's settings, with `members.manage` in the team that runs it. */
export default withRefusal(async function CampaignSettingsPage({ params }: CampaignProps) {
  const place = await params;
  await requireCampaign(place.team, place.campaign);
  const { team, campaign } = await findPlace(place);
  const { session } = await requirePermission(
    { team: place.team },
    "members.manage",
    `change ${campaign?.name ?? "the campaign"}'s settings`,
  );
  const [facts, profiles, areas, places] = await Promise.all([
    readCampaignFacts(place.campaign),
    listSearchProfiles(place.team),
    listAreas(place.team),
    listPlaces(session),
  ]);
  const { teams, runBy, eraseAfterDays, eraseAt, erasedAt, ...settings } = facts;
  const canExport = campaign?.permissionKeys.includes("signatures.view") === true;
  const actions = (
    <div className="flex flex-wrap gap-2">
      <CampaignActions
        place={place}
        settings={settings}
        others={teams.filter(({ id }) => id !== runBy)}
        shareable={places.filter(
          ({ id, permissionKeys }) =>
            permissionKeys.includes("members.manage") && teams.every((team) => team.id !== id),
        )}
        isErased={erasedAt !== null}
        eraseAfterDays={eraseAfterDays}
        canExport={canExport}
      />
    </div>
  );
  return (
    <AccessChanges team={{ id: place.team, name: team?.name ?? place.team }} save={saveAccess} preview={previewAccess}>
      <PageBar place={facts.name} title="Campaign settings" />
      <PermissionsCheck at={place} />
      <div className="flex max-w-3xl flex-col gap-10 px-4 py-6 md:px-6">
        {runBy === place.team ? (
          <>
            {settings.archived && (
              <div className="flex flex-col gap-3 rounded-md border bg-muted px-4 py-3">
                <p role="status">
                  This campaign is archived.{" "}
                  {erasedAt === null ? "To change its settings, restore it first." : "Its settings can't be changed."}
                </p>
                {actions}
              </div>
            )}
            <ErasureNote
              place={place}
              eraseAt={eraseAt}
              erasedAt={erasedAt}
              canExport={canExport}
              format={formatOf(team)}
            />
            <CampaignSettingsForm
              key={`${place.team}/${place.campaign}`}
              place={place}
              settings={settings}
              profiles={profiles}
              areas={areas}
              save={editCampaign}
            />
            {!settings.archived && (
              <Section title="Manage campaign" className="border-t pt-8">
                <SharingSteps />
                {actions}
              </Section>
            )}
          </>
        ) : (
          <p>
            {teams.find(({ id }) => id === runBy)?.name ?? "Another team"} runs this campaign. Ask its administrators to
            change the settings.
          </p>
        )}
      </div>
    </AccessChanges>
  );
});
