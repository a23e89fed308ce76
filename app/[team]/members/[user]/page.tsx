import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { previewAccess, saveAccess } from "@/app/[team]/actions";
import { placeTitle } from "@/app/place-title";
import { Explanation } from "@/components/permissions/explanation";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { refusable } from "@/components/permissions/refusal";
import { PageBar } from "@/components/shell/page-bar";
import { AccessChanges } from "@/components/team-access/access-changes";
import { MemberActions } from "@/components/team-access/member-actions";
import { MemberCampaigns } from "@/components/team-access/member-campaigns";
import { statusTones } from "@/components/team-access/member-changes";
import { Why } from "@/components/team-access/permission-questions";
import { Badge } from "@/components/ui/badge";
import { explainAccess } from "@/lib/permissions/explain";
import { findPlace, requirePermission } from "@/lib/permissions/require-place";
import { permissionKeySchema } from "@/lib/permissions/snapshot";
import { campaignsText } from "@/lib/team-access/campaigns-text";
import { listMembers } from "@/lib/team-access/members";
import { readTeamRoles } from "@/lib/team-access/read-team-roles";

type Props = {
  params: Promise<{ team: string; user: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: await placeTitle("Member", { team: (await params).team }) };
}

/**
 * `/[team]/members/[user]`: the access of one member and why, with `members.view`; changes, with `members.manage`.
 * `?why=<key>&in=<campaign>` asks why.
 */
export default refusable(async function MemberPage({ params, searchParams }: Props) {
  const { team: teamId, user: userId } = await params;
  const { session, snapshot } = await requirePermission({ team: teamId }, "members.view");
  const manages = snapshot.permissionKeys.includes("members.manage");
  const [{ team }, members, roles, query] = await Promise.all([
    findPlace({ team: teamId }),
    listMembers(teamId),
    manages ? readTeamRoles(teamId) : null,
    searchParams,
  ]);
  const member = members.find((one) => one.userId === userId);
  if (!member) notFound();
  const teamName = team?.name ?? teamId;
  const isOwn = userId === session.userId;
  const campaigns = roles?.campaigns ?? team?.campaigns ?? [];
  const { data: key } = permissionKeySchema.safeParse(query.why);
  const campaign = campaigns.find(({ id }) => id === query.in);
  const explanation = key && (await explainAccess(userId, { team: teamId, campaign: campaign?.id }, key));

  return (
    <AccessChanges teamName={teamName} save={saveAccess} preview={previewAccess}>
      <PageBar place={teamName} title={member.name} />
      <PermissionsCheck at={{ team: teamId }} />
      <div className="flex max-w-3xl flex-col gap-8 px-4 py-6 md:px-6">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <p className="wrap-anywhere min-w-0">{member.email}</p>
          <Badge tone={statusTones[member.status]}>{member.status}</Badge>
          {isOwn && <span className="text-muted-foreground text-sm">(you)</span>}
          <Link
            href={`/${teamId}/members`}
            prefetch={false}
            className="ml-auto inline-flex items-center text-primary underline-offset-4 hover:underline pointer-coarse:min-h-11"
          >
            All members
          </Link>
        </div>
        <section aria-labelledby="membership" className="flex flex-col gap-3">
          <h2 id="membership" className="font-semibold">
            Membership
          </h2>
          {roles && !isOwn ? (
            <MemberActions teamId={teamId} member={member} roles={roles.roles} save={saveAccess} />
          ) : (
            <p>
              Role in the team: <strong className="font-semibold">{member.role}</strong>
              {roles && (
                <span className="block text-muted-foreground">
                  You can't change your own membership. Ask another administrator.
                </span>
              )}
            </p>
          )}
        </section>
        <section aria-labelledby="campaigns" className="flex flex-col gap-3">
          <h2 id="campaigns" className="font-semibold">
            Campaigns
          </h2>
          {member.isAdministrator ? (
            <p>Administrators can open every campaign. Their permission sets are under Roles.</p>
          ) : roles ? (
            <MemberCampaigns
              teamId={teamId}
              member={member}
              campaigns={roles.campaigns}
              roles={roles.roles.filter(({ scope }) => scope === "assigned")}
              sets={roles.sets}
            />
          ) : (
            <p className="wrap-anywhere">{campaignsText(member) || "None"}</p>
          )}
        </section>
        <Why
          path={`/${teamId}/members/${userId}`}
          teamName={teamName}
          campaigns={campaigns.map(({ id, name }) => ({ id, name }))}
          asked={{ key, campaign }}
        >
          {explanation && (
            <Explanation
              explanation={explanation}
              about={{ person: member.name, you: isOwn, team: teamName, campaign: campaign?.name ?? null }}
              permissionKey={key}
            />
          )}
        </Why>
      </div>
    </AccessChanges>
  );
});
