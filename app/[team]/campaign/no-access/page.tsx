import type { Metadata } from "next";
import { placeTitle } from "@/app/place-title";
import { CampaignList } from "@/components/campaigns/campaign-list";
import { askOneOf } from "@/components/permissions/ask-one-of";
import { Explanation } from "@/components/permissions/explanation";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { RefusalPanel } from "@/components/permissions/refusal-panel";
import { PageBar } from "@/components/shell/page-bar";
import { explainAccess, listGranters } from "@/lib/permissions/explain";
import { findPlace, readRefusedPlace, requireTeam } from "@/lib/permissions/require-place";
import { listOwnRequests } from "@/lib/team-access/requests";

type Props = { params: Promise<{ team: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: await placeTitle("No access", await params) };
}

/** `/[team]/campaign/no-access`: where those are sent who ask for a campaign that they do not reach. */
export default async function NoAccessPage({ params }: Props) {
  const { team: teamId } = await params;
  const { session } = await requireTeam(teamId);
  // Which campaign it was is told by where she came from, later by what she asked for; else what opens any is explained.
  const [{ team }, granters, refused, requests, explanation] = await Promise.all([
    findPlace({ team: teamId }),
    listGranters(teamId),
    readRefusedPlace(session.userId),
    listOwnRequests(teamId),
    explainAccess(session.userId, { team: teamId }, "campaign.view"),
  ]);
  const from = refused?.team === teamId ? refused.campaign : undefined;
  const request = requests.find(({ campaign_id }) => campaign_id !== null && campaign_id === (from ?? campaign_id));
  const campaign = from ?? request?.campaign_id ?? undefined;
  const name = team?.name ?? teamId;
  const campaigns = team?.campaigns ?? [];
  return (
    <>
      <PageBar place={name} />
      <PermissionsCheck at={{ team: teamId }} asking={request?.closed_at === null} />
      <RefusalPanel
        title="You can't open this campaign"
        {...(campaign !== undefined &&
          !campaigns.some(({ id }) => id === campaign) && {
            ask: {
              place: { team: teamId, campaign },
              permissionKey: "campaign.view",
              page: `/${teamId}/campaign/${campaign}`,
              request,
            },
          })}
        why={
          <Explanation
            explanation={explanation}
            about={{ person: session.email, you: true, team: name, campaign: null }}
            permissionKey="campaign.view"
          />
        }
        changedText="Your permissions have changed: these are the campaigns that are open to you now."
      >
        <p>
          It is not a campaign of {name}, or it has not been given to you. {askOneOf(granters)}
        </p>
        {request?.granted && campaigns.some(({ id }) => id === request.campaign_id) && (
          <p role="status">Your request was granted: open the campaign below.</p>
        )}
        {campaigns.length > 0 ? (
          <>
            <p>Campaigns of {name} that you can open:</p>
            <CampaignList teamId={teamId} campaigns={campaigns} className="max-w-md" />
          </>
        ) : (
          <p>No campaign of {name} is open to you at the moment.</p>
        )}
      </RefusalPanel>
    </>
  );
}
