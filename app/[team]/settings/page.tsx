import { editTeam } from "@/app/[team]/settings/actions";
import { TeamFrame } from "@/app/[team]/team-frame";
import { pageMetadata, type TeamProps } from "@/app/page-props";
import { LeaveTeam, SharingSteps, TeamCampaigns } from "@/components/campaigns/team-campaigns";
import { TeamSettingsForm } from "@/components/campaigns/team-settings-form";
import { Section } from "@/components/ui/section";
import { hasSecondFactors } from "@/lib/auth/second-factor";
import { listArchivedCampaigns, listCampaignTeams, readTeamSettings } from "@/lib/campaigns/campaigns";
import { formatOf } from "@/lib/format/format-of";
import { localeChoices, timeZoneChoices } from "@/lib/format/regions";
import { findPlace, requireTeam } from "@/lib/permissions/require-place";

export const generateMetadata = pageMetadata("Settings");

/**
 * `/[team]/settings`: every member sees how the team writes days and numbers, and can leave it. With `members.manage` they can
 * change settings and remove campaigns of other teams.
 */
export default async function SettingsPage({ params }: TeamProps) {
  const { team: teamId } = await params;
  const { snapshot } = await requireTeam(teamId);
  const canManageMembers = snapshot.permissionKeys.includes("members.manage");
  const [{ team }, settings, campaignTeams, archivedCampaigns, canOfferSecondFactor] = await Promise.all([
    findPlace({ team: teamId }),
    readTeamSettings(teamId),
    canManageMembers ? listCampaignTeams(teamId) : null,
    canManageMembers ? listArchivedCampaigns(teamId) : [],
    canManageMembers && hasSecondFactors(),
  ]);
  const now = new Date().toISOString();
  const format = formatOf(settings);
  const campaigns = (team?.campaigns ?? []).flatMap(({ id, name, archivedAt }) => {
    const teams = campaignTeams?.get(id);
    return teams ? [{ id, name, archived: archivedAt !== null, ...teams }] : [];
  });
  return (
    <TeamFrame team={{ id: teamId, name: settings.name }} title="Settings">
      <div className="flex max-w-3xl flex-col gap-10 px-4 py-6 md:px-6">
        <Section title="Team">
          {canManageMembers ? (
            <TeamSettingsForm
              settings={settings}
              zones={timeZoneChoices(settings.timeZone)}
              locales={localeChoices(settings.locale)}
              now={now}
              canOfferSecondFactor={canOfferSecondFactor}
              archivedCampaigns={archivedCampaigns}
              save={editTeam}
            />
          ) : (
            <p>
              Dates and times are shown in {format.zoneName}, where it&apos;s now {format.dateTime(now)}. Anyone who can
              manage settings can change this.
            </p>
          )}
        </Section>
        {campaigns.length > 0 && (
          <Section
            title="Campaigns"
            note="The team that runs a campaign edits its goal and dates in the campaign's settings."
          >
            <SharingSteps />
            <TeamCampaigns campaigns={campaigns} />
          </Section>
        )}
        <Section
          title="Leave team"
          note="You'll see what access you'd lose before you leave. Signatures you entered are kept. To delete a team, ask the person who runs this server."
        >
          <LeaveTeam />
        </Section>
      </div>
    </TeamFrame>
  );
}
