import type { Metadata } from "next";
import { placeTitle } from "@/app/place-title";
import { CampaignTable } from "@/components/campaigns/campaign-table";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { askOneOf } from "@/components/refusal/names";
import { RefusalPanel } from "@/components/refusal/refusal-panel";
import { PageBar } from "@/components/shell/page-bar";
import { findPlace } from "@/lib/permissions/find-place";
import { requireTeam } from "@/lib/permissions/require-place";
import { campaignSchedules } from "@/lib/teams/campaign-schedules";
import { whoCanGrant } from "@/lib/teams/who-can-grant";

type Props = { params: Promise<{ team: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: await placeTitle("Campaigns", await params) };
}

/** `/[team]`: the campaigns of the team that one may open. */
export default async function TeamPage({ params }: Props) {
  const { team: teamId } = await params;
  await requireTeam(teamId);
  const [{ team }, schedules] = await Promise.all([findPlace({ team: teamId }), campaignSchedules(teamId)]);
  const campaigns = (team?.campaigns ?? []).map((campaign) => ({ ...campaign, schedule: schedules.get(campaign.id) }));
  const running = campaigns.filter(({ archivedAt }) => archivedAt === null);
  const archived = campaigns.filter(({ archivedAt }) => archivedAt !== null);
  const timeZone = team?.timeZone ?? "UTC";

  return (
    <>
      <PageBar place={team?.name ?? teamId} title="Campaigns" />
      <PermissionsCheck at={{ team: teamId }} />
      {campaigns.length === 0 ? (
        <RefusalPanel title="No campaign is open to you yet">
          <p>You are a member of {team?.name ?? teamId}, but none of its campaigns has been given to you.</p>
          <p>{askOneOf(await whoCanGrant(teamId))}</p>
        </RefusalPanel>
      ) : (
        <div className="flex max-w-5xl flex-col gap-6 px-4 py-6 md:px-6">
          {running.length > 0 ? (
            <CampaignTable teamId={teamId} timeZone={timeZone} campaigns={running} label="Running campaigns" />
          ) : (
            <p className="text-muted-foreground">None of the campaigns that you can open is running.</p>
          )}
          {archived.length > 0 && (
            <section aria-labelledby="archived" className="flex flex-col gap-2">
              <h2 id="archived" className="font-medium text-muted-foreground text-sm">
                Archived
              </h2>
              <CampaignTable teamId={teamId} timeZone={timeZone} campaigns={archived} label="Archived campaigns" />
            </section>
          )}
        </div>
      )}
    </>
  );
}
