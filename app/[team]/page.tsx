import type { ReactNode } from "react";
import { createCampaign } from "@/app/[team]/campaign/actions";
import { listCampaignRows } from "@/app/[team]/list-campaign-rows";
import { TeamFrame } from "@/app/[team]/team-frame";
import { pageMetadata, type TeamProps } from "@/app/page-props";
import { NewCampaign } from "@/components/campaigns/campaign-dialog";
import { AttachCampaign } from "@/components/campaigns/team-campaigns";
import { RefusalPanel, whoToAskText } from "@/components/permissions/refusal-panel";
import { CampaignTable, TeamTotals } from "@/components/progress/team-progress";
import { TextLink } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import type { Session } from "@/lib/auth/get-session";
import { listCampaignRunners, listCampaignTeams } from "@/lib/campaigns/campaigns";
import { formatOf } from "@/lib/format/format-of";
import { listGranters } from "@/lib/permissions/explain";
import { listPlaces, type TeamPlace } from "@/lib/permissions/list-places";
import { requireTeam } from "@/lib/permissions/require-place";
import { listOwnRequests } from "@/lib/team-access/requests";

export const generateMetadata = pageMetadata("Campaigns");

/** `/[team]`: the campaigns the user can open and their progress; users with `members.manage` can also create one. */
export default async function TeamPage({ params, searchParams }: TeamProps) {
  const { team: teamId } = await params;
  const { sort = "" } = await searchParams;
  const { session, snapshot } = await requireTeam(teamId);
  const teams = await listPlaces(session);
  const team = teams.find(({ id }) => id === teamId);
  const places = team?.campaigns ?? [];
  const canManageMembers = snapshot.permissionKeys.includes("members.manage");
  const [attachableCampaigns, unopenedCampaigns, { running, archived, requests }] = await Promise.all([
    canManageMembers ? listAttachableCampaigns(teams, teamId) : [],
    canManageMembers && places.length === 0 ? listCampaignTeams(teamId) : new Map(),
    team ? listCampaignRows(team) : { running: [], archived: [], requests: [] },
  ]);
  const format = formatOf(team);
  const teamName = team?.name ?? teamId;
  const create = canManageMembers && <NewCampaign create={createCampaign} campaignIds={places.map(({ id }) => id)} />;
  const attach = attachableCampaigns.length > 0 && <AttachCampaign attachableCampaigns={attachableCampaigns} />;
  if (places.length === 0 && (!canManageMembers || unopenedCampaigns.size > 0))
    return (
      <NoCampaign
        team={{ id: teamId, name: teamName }}
        session={session}
        title={
          canManageMembers
            ? `You can't open ${unopenedCampaigns.size === 1 ? "the team's campaign" : `any of the ${format.number(unopenedCampaigns.size)} campaigns`} yet`
            : "No campaigns yet"
        }
        actions={create}
      >
        {canManageMembers ? (
          <p>You can manage members, but you can't grant yourself access.</p>
        ) : (
          <p>You don't have access to any campaign in {teamName} yet.</p>
        )}
        {attach}
      </NoCampaign>
    );

  return (
    <TeamFrame team={{ id: teamId, name: teamName }} title="Campaigns" actions={places.length > 0 && create}>
      {places.length === 0 ? (
        <div className="flex max-w-2xl flex-col items-start gap-4 px-4 py-8 md:px-6 md:py-12">
          <h2 className="font-semibold text-lg">No campaigns yet</h2>
          <ol className="flex list-decimal flex-col gap-1 pl-5 leading-6">
            <li>Create your first campaign and set its goal and last day.</li>
            <li>
              Add people to it under <TextLink href={`/${teamId}/members`}>Members</TextLink>.
            </li>
            <li>Enter the first sheet. This page then shows whether the campaign is on track.</li>
          </ol>
          {create}
          {attach}
        </div>
      ) : (
        <div className="flex max-w-5xl flex-col gap-6 px-4 py-6 md:px-6">
          <TeamTotals
            teamId={teamId}
            format={format}
            campaigns={running.flatMap(({ progress }) => progress ?? [])}
            requests={canManageMembers ? requests.length : null}
          />
          {running.length > 0 ? (
            <CampaignTable teamId={teamId} format={format} campaigns={running} label="Active campaigns" sort={sort} />
          ) : (
            <p className="text-muted-foreground">No active campaigns.</p>
          )}
          {archived.length > 0 && (
            <Section title="Archived" className="gap-2">
              <CampaignTable teamId={teamId} format={format} campaigns={archived} label="Archived campaigns" />
            </Section>
          )}
          {attach}
        </div>
      )}
    </TeamFrame>
  );
}

async function NoCampaign({
  team: { id: teamId, name: teamName },
  session,
  title,
  actions,
  children,
}: {
  team: { id: string; name: string };
  session: Session;
  title: string;
  actions: ReactNode;
  children: ReactNode;
}) {
  const [granters, requests] = await Promise.all([listGranters(teamId, session.userId), listOwnRequests(teamId)]);
  const request = requests.find(({ key, campaign_id }) => key === "campaign.view" && campaign_id === null);
  return (
    <TeamFrame team={{ id: teamId, name: teamName }} actions={actions} isRequestPending={request?.closed_at === null}>
      <RefusalPanel
        title={title}
        accessRequest={
          granters.others.length > 0 && { place: { team: teamId }, permissionKey: "campaign.view", request }
        }
      >
        {children}
        {request?.closed_at !== null && <p>{whoToAskText(granters)}</p>}
      </RefusalPanel>
    </TeamFrame>
  );
}

// Campaigns that other teams of this user run, and that this team isn't part of.
async function listAttachableCampaigns(teams: TeamPlace[], teamId: string) {
  const otherTeams = teams.filter((team) => team.id !== teamId && team.permissionKeys.includes("members.manage"));
  if (otherTeams.length === 0) return [];
  const ownCampaignIds = new Set(teams.find(({ id }) => id === teamId)?.campaigns.map(({ id }) => id));
  const runners = await listCampaignRunners(otherTeams.map(({ id }) => id));
  return otherTeams.flatMap((team) =>
    team.campaigns
      .filter(({ id }) => runners.get(id) === team.id && !ownCampaignIds.has(id))
      .map(({ id, name }) => ({ id, name })),
  );
}
