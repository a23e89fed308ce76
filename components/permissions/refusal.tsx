import { askOneOf } from "@/components/permissions/ask-one-of";
import { Explanation } from "@/components/permissions/explanation";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { RefusalPanel } from "@/components/permissions/refusal-panel";
import { PageBar } from "@/components/shell/page-bar";
import { requireUser } from "@/lib/auth/require-user";
import { explainAccess, explainRefusal } from "@/lib/permissions/explain";
import type { PermissionRefused } from "@/lib/permissions/messages";
import type { PermissionKey } from "@/lib/permissions/permission-keys";
import { listOwnRequests } from "@/lib/team-access/requests";

/** What each key opens, as it stands in "You can't open …". */
const opens: Record<PermissionKey, string> = {
  "campaign.view": "the overview",
  "voters.search": "the voter search",
  "signatures.view": "the signatures",
  "signatures.enter": "the signature entry",
  "signatures.remove": "the signatures of others",
  "charts.view": "the dashboard",
  "charts.edit": "the chart builder",
  "members.view": "the members",
  "members.manage": "the activity",
  "roles.manage": "the roles",
};

/** The page of someone who lacks its key: what is missing, which role lacks it, who can grant it, and why rule by rule. */
export async function Refusal({ refused }: { refused: PermissionRefused }) {
  const { userId, email } = await requireUser();
  const [{ key, words, placeName, teamName, roleName, granters }, requests, explanation] = await Promise.all([
    explainRefusal(refused),
    listOwnRequests(refused.place.team),
    explainAccess(userId, refused.place, refused.key),
  ]);
  const campaign = refused.place.campaign === undefined ? null : placeName;
  const request = requests.find(
    (one) => one.key === refused.key && one.campaign_id === (refused.place.campaign ?? null),
  );
  return (
    <>
      <PageBar place={placeName} />
      <PermissionsCheck at={refused.place} asking={request?.closed_at === null} />
      <RefusalPanel
        title={`You can't open ${refused.opens ?? opens[refused.key]} of ${placeName}`}
        ask={{ place: refused.place, permissionKey: refused.key, request }}
        why={
          <Explanation
            explanation={explanation}
            about={{ person: email, you: true, team: teamName, campaign }}
            permissionKey={key}
          />
        }
      >
        <p>
          It needs “{words}” (<code className="font-sans text-muted-foreground">{key}</code>), which{" "}
          {roleName ? (
            <>
              your role <strong className="font-semibold">{roleName}</strong> does not include.
            </>
          ) : (
            "has not been given to you."
          )}
        </p>
        <p>{askOneOf(granters)}</p>
      </RefusalPanel>
    </>
  );
}
