import type { Metadata } from "next";
import { previewAccess, saveAccess } from "@/app/[team]/actions";
import {
  inviteMembers,
  previewInvites,
  resendOpenInvitation,
  revokeOpenInvitation,
  showInvitationLink,
} from "@/app/[team]/members/invitation-actions";
import { placeTitle } from "@/app/place-title";
import { InviteButton } from "@/components/invitations/invite-button";
import { OpenInvitationsList } from "@/components/invitations/open-invitations-list";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { refusable } from "@/components/permissions/refusable";
import { PageBar } from "@/components/shell/page-bar";
import { AccessChanges } from "@/components/team-access/access-changes";
import { MembersTable } from "@/components/team-access/members-table";
import { listInvitations } from "@/lib/invitations/list-invitations";
import { findPlace } from "@/lib/permissions/find-place";
import type { PermissionKey } from "@/lib/permissions/permission-keys";
import { requirePermission } from "@/lib/permissions/require-place";
import { listMembers } from "@/lib/team-access/list-members";
import { readTeamRoles, type TeamRoles } from "@/lib/team-access/read-team-roles";

type Props = { params: Promise<{ team: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: await placeTitle("Members", await params) };
}

/** `/[team]/members`: who is in the team, with `members.view`; invitations and changes, with `members.manage`. */
export default refusable(async function MembersPage({ params }: Props) {
  const { team: teamId } = await params;
  const { session, snapshot } = await requirePermission({ team: teamId }, "members.view");
  const manages = snapshot.permissionKeys.includes("members.manage");
  const [{ team }, members, roles, invitations] = await Promise.all([
    findPlace({ team: teamId }),
    listMembers(teamId),
    manages ? readTeamRoles(teamId) : null,
    manages ? listInvitations(teamId) : [],
  ]);
  const teamName = team?.name ?? teamId;
  const given = roles && {
    roles: roles.roles.map(({ id, name, scope }) => ({ id, name, scope })),
    campaigns: roles.campaigns.filter(({ archivedAt }) => archivedAt === null).map(({ id, name }) => ({ id, name })),
  };
  return (
    <AccessChanges teamName={teamName} save={saveAccess} preview={previewAccess}>
      <PageBar place={teamName} title="Members">
        {given && roles && (
          <InviteButton
            teamId={teamId}
            teamName={teamName}
            {...given}
            defaultRoleId={leastRole(roles)}
            defaultCampaignRoleId={leastRole(roles, "campaign.view")}
            preview={previewInvites}
            invite={inviteMembers}
          />
        )}
      </PageBar>
      <PermissionsCheck at={{ team: teamId }} />
      <div className="flex flex-col gap-6 px-4 py-6 md:px-6">
        {given && (
          <OpenInvitationsList
            teamId={teamId}
            invitations={invitations}
            showLink={showInvitationLink}
            resend={resendOpenInvitation}
            revoke={revokeOpenInvitation}
          />
        )}
        <MembersTable teamId={teamId} ownId={session.userId} members={members} {...(given && { manage: given })} />
      </div>
    </AccessChanges>
  );
});

// Nobody is made an administrator by leaving the list as it is.
function leastRole({ roles, sets }: TeamRoles, key?: PermissionKey) {
  const having = new Set(sets.filter(({ keys }) => key && keys.includes(key)).map(({ id }) => id));
  const assigned = roles.filter(
    ({ scope, setIds }) => scope === "assigned" && (!key || setIds.some((id) => having.has(id))),
  );
  return assigned.toSorted((a, b) => a.setIds.length - b.setIds.length)[0]?.id;
}
