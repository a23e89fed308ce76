import type { Metadata } from "next";
import { placeTitle } from "@/app/place-title";
import { CampaignList } from "@/components/campaigns/campaign-list";
import { askOneOf } from "@/components/permissions/ask-one-of";
import { Explanation } from "@/components/permissions/explanation";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { RefusalPanel } from "@/components/permissions/refusal-panel";
import { PageBar } from "@/components/shell/page-bar";
import { explainAccess } from "@/lib/permissions/explain-access";
import { findPlace } from "@/lib/permissions/find-place";
import { listGranters } from "@/lib/permissions/list-granters";
import { requireTeam } from "@/lib/permissions/require-place";

type Props = { params: Promise<{ team: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: await placeTitle("No access", await params) };
}

/** `/[team]/campaign/no-access`: where those are sent who ask for a campaign that they do not reach. */
export default async function NoAccessPage({ params }: Props) {
  const { team: teamId } = await params;
  const { session } = await requireTeam(teamId);
  // Which campaign was asked for is not told here: what opens any is explained.
  const [{ team }, granters, explanation] = await Promise.all([
    findPlace({ team: teamId }),
    listGranters(teamId),
    explainAccess(session.userId, { team: teamId }, "campaign.view"),
  ]);
  const name = team?.name ?? teamId;
  const campaigns = team?.campaigns ?? [];
  return (
    <>
      <PageBar place={name} />
      <PermissionsCheck at={{ team: teamId }} />
      <RefusalPanel
        title="You can't open this campaign"
        {...(!explanation.held && { ask: { place: { team: teamId }, key: "campaign.view" } })}
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
