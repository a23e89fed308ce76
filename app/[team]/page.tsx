import type { Metadata } from "next";
import { previewAccess, saveAccess } from "@/app/[team]/actions";
import { createCampaign } from "@/app/[team]/campaign/actions";
import { placeTitle } from "@/app/place-title";
import { AttachCampaign } from "@/components/campaigns/attach-campaign";
import { CampaignTable } from "@/components/campaigns/campaign-table";
import { NewCampaign } from "@/components/campaigns/new-campaign";
import { askOneOf } from "@/components/permissions/ask-one-of";
import { Explanation } from "@/components/permissions/explanation";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { RefusalPanel } from "@/components/permissions/refusal-panel";
import { PageBar } from "@/components/shell/page-bar";
import { AccessChanges } from "@/components/team-access/access-changes";
import type { Session } from "@/lib/auth/get-session";
import { listCampaignRunners } from "@/lib/campaigns/list-campaign-runners";
import { listCampaignSchedules } from "@/lib/campaigns/list-campaign-schedules";
import { formatOf } from "@/lib/format/format-of";
import { explainAccess } from "@/lib/permissions/explain-access";
import { listGranters } from "@/lib/permissions/list-granters";
import { listPlaces, type TeamPlace } from "@/lib/permissions/list-places";
import { requireTeam } from "@/lib/permissions/require-place";

type Props = { params: Promise<{ team: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: await placeTitle("Campaigns", await params) };
}

/** `/[team]`: the campaigns of the team that one may open; with `members.manage` also the way to a new one. */
export default async function TeamPage({ params }: Props) {
  const { team: teamId } = await params;
  const { session, snapshot } = await requireTeam(teamId);
  const [teams, schedules] = await Promise.all([listPlaces(session), listCampaignSchedules(teamId)]);
  const team = teams.find(({ id }) => id === teamId);
  const manages = snapshot.permissionKeys.includes("members.manage");
  const elsewhere = manages ? await runElsewhere(teams, teamId) : [];
  const campaigns = (team?.campaigns ?? []).map((campaign) => ({ ...campaign, schedule: schedules.get(campaign.id) }));
  const running = campaigns.filter(({ archivedAt }) => archivedAt === null);
  const archived = campaigns.filter(({ archivedAt }) => archivedAt !== null);
  const format = formatOf(team);

  const teamName = team?.name ?? teamId;
  const attach = elsewhere.length > 0 && <AttachCampaign teamId={teamId} teamName={teamName} elsewhere={elsewhere} />;

  return (
    <AccessChanges teamName={teamName} save={saveAccess} preview={previewAccess}>
      <PageBar place={teamName} title="Campaigns">
        {manages && <NewCampaign teamId={teamId} create={createCampaign} />}
      </PageBar>
      <PermissionsCheck at={{ team: teamId }} />
      {campaigns.length === 0 && manages ? (
        <div className="flex max-w-2xl flex-col gap-2 px-4 py-8 md:px-6 md:py-12">
          <h2 className="font-semibold text-lg">No campaign yet</h2>
          <p className="leading-6">
            Create the first one with “New campaign”. Then open it to people on their page under Members.
          </p>
          {attach}
        </div>
      ) : campaigns.length === 0 ? (
        <NoCampaign teamId={teamId} teamName={teamName} session={session} />
      ) : (
        <div className="flex max-w-5xl flex-col gap-6 px-4 py-6 md:px-6">
          {running.length > 0 ? (
            <CampaignTable teamId={teamId} format={format} campaigns={running} label="Running campaigns" />
          ) : (
            <p className="text-muted-foreground">None of the campaigns that you can open is running.</p>
          )}
          {archived.length > 0 && (
            <section aria-labelledby="archived" className="flex flex-col gap-2">
              <h2 id="archived" className="font-medium text-muted-foreground text-sm">
                Archived
              </h2>
              <CampaignTable teamId={teamId} format={format} campaigns={archived} label="Archived campaigns" />
            </section>
          )}
          {attach}
        </div>
      )}
    </AccessChanges>
  );
}

async function NoCampaign({ teamId, teamName, session }: { teamId: string; teamName: string; session: Session }) {
  const [granters, explanation] = await Promise.all([
    listGranters(teamId),
    explainAccess(session.userId, { team: teamId }, "campaign.view"),
  ]);
  return (
    <RefusalPanel
      title="No campaign is open to you yet"
      {...(!explanation.held && { ask: { place: { team: teamId }, key: "campaign.view" } })}
      why={
        <Explanation
          explanation={explanation}
          about={{ person: session.email, you: true, team: teamName, campaign: null }}
          permissionKey="campaign.view"
        />
      }
    >
      <p>You are a member of {teamName}, but none of its campaigns has been given to you.</p>
      <p>{askOneOf(granters)}</p>
    </RefusalPanel>
  );
}

// Campaigns that other teams which she manages run, and which this team does not have.
async function runElsewhere(teams: TeamPlace[], teamId: string) {
  const others = teams.filter(({ id, permissionKeys }) => id !== teamId && permissionKeys.includes("members.manage"));
  if (others.length === 0) return [];
  const here = new Set(teams.find(({ id }) => id === teamId)?.campaigns.map(({ id }) => id));
  const runners = await listCampaignRunners(others.map(({ id }) => id));
  return others.flatMap((team) =>
    team.campaigns
      .filter(({ id }) => runners.get(id) === team.id && !here.has(id))
      .map(({ id, name }) => ({ id, name })),
  );
}
