import type { ReactNode } from "react";
import { explainLines } from "@/components/permissions/explain-lines";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { RefusalPanel, whoToAskText } from "@/components/permissions/refusal-panel";
import { PageBar } from "@/components/shell/page-bar";
import { describeLastChange } from "@/lib/activity/last-change";
import { requireUser } from "@/lib/auth/require-user";
import { formatOf } from "@/lib/format/format-of";
import { explainAccess, explainRefusal } from "@/lib/permissions/explain";
import { PermissionRefused } from "@/lib/permissions/messages";
import type { PermissionKey } from "@/lib/permissions/permission-keys";
import { listOwnRequests } from "@/lib/team-access/requests";

/** What each key lets people do: "You can't …". */
const acts: Record<PermissionKey, (place: string) => string> = {
  "campaign.view": (place) => `open the ${place} overview`,
  "voters.search": (place) => `search voters in ${place}`,
  "signatures.view": (place) => `open the ${place} signatures`,
  "signatures.enter": (place) => `enter signatures in ${place}`,
  "signatures.remove": (place) => `open other people's lines in ${place}`,
  "charts.view": (place) => `open the ${place} dashboard`,
  "charts.edit": (place) => `edit charts in ${place}`,
  "members.view": (place) => `open Members in ${place}`,
  "members.manage": (place) => `open Activity in ${place}`,
  "roles.manage": (place) => `open Roles in ${place}`,
};

/** A page that shows the refusal when its guard throws PermissionRefused. Other errors and redirects pass through. */
export function withRefusal<Props>(page: (props: Props) => Promise<ReactNode>) {
  return async function PageOrRefusal(props: Props): Promise<ReactNode> {
    try {
      return await page(props);
    } catch (error) {
      if (error instanceof PermissionRefused) return <Refusal refused={error} />;
      throw error;
    }
  };
}

/** What is missing, which roles lack it, and who can grant it. */
async function Refusal({ refused }: { refused: PermissionRefused }) {
  const { userId, email } = await requireUser();
  const [{ placeName, teamName, granters }, requests, explanation, lastChangeText] = await Promise.all([
    explainRefusal(refused),
    listOwnRequests(refused.place.team),
    explainAccess(userId, refused.place, refused.key),
    describeLastChange(userId, refused.place.team, refused.place.campaign ?? null),
  ]);
  const campaign = refused.place.campaign === undefined ? null : placeName;
  const request = requests.find(
    (candidate) => candidate.key === refused.key && candidate.campaign_id === (refused.place.campaign ?? null),
  );
  return (
    <>
      <PageBar place={placeName} />
      <PermissionsCheck at={refused.place} isRequestPending={request?.closed_at === null} />
      <RefusalPanel
        title={`You can't ${refused.act ?? acts[refused.key](placeName)}`}
        accessRequest={granters.others.length > 0 && { place: refused.place, permissionKey: refused.key, request }}
      >
        <p>{explainLines(explanation, { person: email, you: true, team: teamName, campaign }, formatOf())}</p>
        {lastChangeText && <p>{lastChangeText}</p>}
        {request?.closed_at !== null && <p>{whoToAskText(granters)}</p>}
      </RefusalPanel>
    </>
  );
}
