import { pageMetadata, type TeamProps } from "@/app/page-props";
import { CampaignList } from "@/components/campaigns/campaign-list";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { RefusalPanel, whoToAskText } from "@/components/permissions/refusal-panel";
import { PageBar } from "@/components/shell/page-bar";
import { ButtonLink } from "@/components/ui/link";
import { describeLastChange } from "@/lib/activity/last-change";
import { explainAccess, listGranters } from "@/lib/permissions/explain";
import { findPlace, readRefusedPlace, requireTeam } from "@/lib/permissions/require-place";
import { listOwnRequests, type OwnRequest } from "@/lib/team-access/requests";

export const generateMetadata = pageMetadata("Campaign");

const lastChangeOf = ({ asked_at, closed_at }: OwnRequest) => Date.parse(closed_at ?? asked_at);

/** `/[team]/campaign/no-access`: where users are redirected from a campaign they can't open. */
export default async function NoAccessPage({ params }: TeamProps) {
  const { team: teamId } = await params;
  const { session } = await requireTeam(teamId);
  // Redis knows for 10 seconds which campaign was refused; after that, the most recently made or answered request decides.
  const refused = await readRefusedPlace(session.userId);
  const refusedCampaignId = refused?.team === teamId ? refused.campaign : undefined;
  const [{ team }, granters, requests, { membership }, lastChangeText] = await Promise.all([
    findPlace({ team: teamId }),
    listGranters(teamId, session.userId),
    listOwnRequests(teamId),
    explainAccess(session.userId, { team: teamId }, "campaign.view"),
    describeLastChange(session.userId, teamId, refusedCampaignId),
  ]);
  const request = requests
    .filter(({ campaign_id }) => campaign_id !== null && campaign_id === (refusedCampaignId ?? campaign_id))
    .toSorted((a, b) => lastChangeOf(b) - lastChangeOf(a))[0];
  const campaign = refusedCampaignId ?? request?.campaign_id ?? undefined;
  const name = team?.name ?? teamId;
  const campaigns = team?.campaigns ?? [];
  const grantedCampaign = campaigns.find(({ id }) => id === request?.campaign_id);
  // Administrators can open every campaign of the team, so a campaign they can't open doesn't exist.
  const isMissing = membership?.isAdministrator && !campaigns.some(({ id }) => id === campaign);
  const roleNote =
    membership?.isAdministrator === false && ` Your team role, ${membership.role}, doesn't give access to campaigns.`;
  const bar = (
    <>
      <PageBar place={name} />
      <PermissionsCheck at={{ team: teamId }} isRequestPending={request?.closed_at === null} />
    </>
  );
  if (request?.granted && grantedCampaign) {
    return (
      <>
        {bar}
        <div className="flex max-w-2xl flex-col items-start gap-4 px-4 py-8 md:px-6 md:py-12">
          <h1 className="wrap-anywhere font-semibold text-xl">You can open {grantedCampaign.name} now</h1>
          <p role="status">Your request was granted.</p>
          <ButtonLink href={`/${teamId}/campaign/${grantedCampaign.id}`}>Open campaign</ButtonLink>
        </div>
      </>
    );
  }
  const others = campaigns.length > 0 && <CampaignList teamId={teamId} campaigns={campaigns} className="max-w-md" />;
  if (isMissing) {
    return (
      <>
        {bar}
        <div className="flex max-w-2xl flex-col gap-4 px-4 py-8 md:px-6 md:py-12">
          <h1 className="font-semibold text-xl">Campaign not found</h1>
          <p>This campaign doesn't exist or was deleted. Check the link{others && ", or choose a campaign below"}.</p>
          {lastChangeText && <p>{lastChangeText}</p>}
          {others}
        </div>
      </>
    );
  }
  return (
    <>
      {bar}
      <RefusalPanel
        title="You can't open this campaign"
        accessRequest={
          granters.others.length > 0 && campaign !== undefined && !campaigns.some(({ id }) => id === campaign)
            ? {
                place: { team: teamId, campaign },
                permissionKey: "campaign.view",
                page: `/${teamId}/campaign/${campaign}`,
                request,
              }
            : undefined
        }
        changedText="Your permissions have changed. These are the campaigns you can open now."
      >
        <p>{`This campaign doesn't exist in ${name}, or you don't have a role in it.${roleNote || ""}`}</p>
        {request?.closed_at !== null && <p>{whoToAskText(granters)}</p>}
        {lastChangeText && <p>{lastChangeText}</p>}
        <p>{others ? `Campaigns you can open in ${name}:` : `You don't have access to any campaign in ${name} yet.`}</p>
        {others}
      </RefusalPanel>
    </>
  );
}
