import type { Metadata } from "next";
import { previewAccess, saveAccess } from "@/app/[team]/actions";
import { editTeam } from "@/app/[team]/settings/actions";
import { placeTitle } from "@/app/place-title";
import { LeaveTeam, TeamCampaigns } from "@/components/campaigns/team-campaigns";
import { TeamSettingsForm } from "@/components/campaigns/team-settings-form";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { PageBar } from "@/components/shell/page-bar";
import { AccessChanges } from "@/components/team-access/access-changes";
import { listTeamRunners, readTeamSettings } from "@/lib/campaigns/campaigns";
import { formatOf } from "@/lib/format/format-of";
import { localeChoices, timeZoneChoices } from "@/lib/format/regions";
import { findPlace, requireTeam } from "@/lib/permissions/require-place";

type Props = { params: Promise<{ team: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: await placeTitle("Settings", await params) };
}

/**
 * `/[team]/settings`: for every member, how the team writes days and numbers, and leaving it; with `members.manage` the
 * settings can be changed, and campaigns of other teams removed.
 */
export default async function SettingsPage({ params }: Props) {
  const { team: teamId } = await params;
  const { snapshot } = await requireTeam(teamId);
  const manages = snapshot.permissionKeys.includes("members.manage");
  const [{ team }, settings, runners] = await Promise.all([
    findPlace({ team: teamId }),
    readTeamSettings(teamId),
    manages ? listTeamRunners(teamId) : null,
  ]);
  const now = new Date().toISOString();
  const format = formatOf(settings);
  const campaigns = (team?.campaigns ?? []).flatMap(({ id, name, archivedAt }) => {
    const runBy = runners?.get(id);
    return runBy ? [{ id, name, archived: archivedAt !== null, runBy }] : [];
  });
  return (
    <AccessChanges teamName={settings.name} save={saveAccess} preview={previewAccess}>
      <PageBar place={settings.name} title="Settings" />
      <PermissionsCheck at={{ team: teamId }} />
      <div className="flex max-w-3xl flex-col gap-10 px-4 py-6 md:px-6">
        <section aria-labelledby="team" className="flex flex-col gap-3">
          <h2 id="team" className="font-semibold">
            Team
          </h2>
          {manages ? (
            <TeamSettingsForm
              teamId={teamId}
              settings={settings}
              zones={timeZoneChoices(settings.timeZone)}
              locales={localeChoices(settings.locale)}
              now={now}
              save={editTeam}
            />
          ) : (
            <p>
              Dates and times are shown in {settings.timeZone.replaceAll("_", " ")}: now {format.dateTime(now)}. People
              who manage members can change this.
            </p>
          )}
        </section>
        {campaigns.length > 0 && (
          <section aria-labelledby="campaigns" className="flex flex-col gap-3">
            <div>
              <h2 id="campaigns" className="font-semibold">
                Campaigns
              </h2>
              <p className="text-muted-foreground">
                The team that runs a campaign edits its goal and dates on the campaign's overview.
              </p>
            </div>
            <TeamCampaigns team={{ id: teamId, name: settings.name }} campaigns={campaigns} />
          </section>
        )}
        <section aria-labelledby="leave" className="flex flex-col gap-3">
          <div>
            <h2 id="leave" className="font-semibold">
              Leave team
            </h2>
            <p className="text-muted-foreground">
              You'll see what access you lose first. Signatures you entered are kept.
            </p>
          </div>
          <LeaveTeam teamId={teamId} teamName={settings.name} />
        </section>
      </div>
    </AccessChanges>
  );
}
