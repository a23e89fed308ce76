import { selectMembers } from "@/app/[team]/members/actions";
import {
  editOpenInvitations,
  inviteMembers,
  previewInvites,
  resendOpenInvitations,
  revokeOpenInvitations,
  showInvitationLinks,
} from "@/app/[team]/members/invitation-actions";
import { TeamFrame } from "@/app/[team]/team-frame";
import { pageMetadata, type TeamProps } from "@/app/page-props";
import { InviteButton } from "@/components/invitations/invite-button";
import { OpenInvitationsList } from "@/components/invitations/open-invitations-list";
import { withRefusal } from "@/components/permissions/refusal";
import { MembersTable } from "@/components/team-access/members-table";
import { TextLink } from "@/components/ui/link";
import { formatOf } from "@/lib/format/format-of";
import { capitalized } from "@/lib/format/text";
import { findInvitations } from "@/lib/invitations/find-invitations";
import { listInvitations } from "@/lib/invitations/invitations";
import { findPlace, requirePermission } from "@/lib/permissions/require-place";
import { findMembers } from "@/lib/team-access/find-members";
import { listMembers, type Member } from "@/lib/team-access/members";
import { membersFilterSchema } from "@/lib/team-access/members-filter";
import { leastPrivilegedRole, readTeamRoles } from "@/lib/team-access/read-team-roles";
import { listAccessRequests } from "@/lib/team-access/requests";

const pageSize = 50;

export const generateMetadata = pageMetadata("Members");

/** `/[team]/members`: the members, with `members.view`; invitations and changes, with `members.manage`. */
export default withRefusal(async function MembersPage({ params, searchParams }: TeamProps) {
  const { team: teamId } = await params;
  const { session, snapshot } = await requirePermission({ team: teamId }, "members.view");
  const canManage = snapshot.permissionKeys.includes("members.manage");
  const [{ team }, members, roles, invitations, requests] = await Promise.all([
    findPlace({ team: teamId }),
    listMembers(teamId),
    canManage ? readTeamRoles(teamId) : null,
    canManage ? listInvitations(teamId) : [],
    canManage ? listAccessRequests(teamId) : [],
  ]);
  const teamName = team?.name ?? teamId;
  const filter = membersFilterSchema.parse(await searchParams);
  const matches = findMembers(members, filter);
  const invited = findInvitations(invitations, filter);
  const pageNumber = Math.min(filter.page ?? 1, Math.max(1, Math.ceil(matches.length / pageSize)));
  const offset = (pageNumber - 1) * pageSize;
  const managed = roles && {
    roles: roles.roles.map(({ id, name, scope }) => ({ id, name, scope })),
    campaigns: roles.campaigns.filter(({ archivedAt }) => archivedAt === null).map(({ id, name }) => ({ id, name })),
    defaultCampaignRoleId: leastPrivilegedRole(roles, "campaign.view"),
  };
  return (
    <TeamFrame
      team={{ id: teamId, name: teamName }}
      title="Members"
      actions={
        managed &&
        roles && (
          <InviteButton
            {...managed}
            defaultRoleId={leastPrivilegedRole(roles)}
            preview={previewInvites}
            invite={inviteMembers}
          />
        )
      }
    >
      <div className="flex flex-col gap-6 px-4 py-6 md:px-6">
        {requests.length > 0 && (
          <TextLink href={`/${teamId}/activity`} className="self-start print:hidden">
            {formatOf(team).count(requests.length, "access request")}
          </TextLink>
        )}
        {managed && (
          <OpenInvitationsList
            invitations={invited}
            {...managed}
            showLinks={showInvitationLinks}
            resend={resendOpenInvitations}
            edit={editOpenInvitations}
            revoke={revokeOpenInvitations}
          />
        )}
        <MembersTable
          teamId={teamId}
          ownId={session.userId}
          filter={{ ...filter, page: pageNumber }}
          pageData={{
            members: matches.slice(offset, offset + pageSize),
            found: matches.length,
            all: members.length,
            first: offset + 1,
            pageSize,
          }}
          invited={invited.length}
          choices={choicesOf(members)}
          manage={managed ? { ...managed, select: selectMembers } : undefined}
        />
      </div>
    </TeamFrame>
  );
});

// Only options that at least one member has.
function choicesOf(members: Member[]) {
  const byName = (named: [string, string][]) =>
    [...new Map(named)].map(([id, name]) => ({ id, name })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const campaigns = members.flatMap(({ campaigns }) => campaigns);
  return {
    roles: byName(members.map(({ roleId, role }) => [roleId, role])),
    campaignRoles: byName(campaigns.flatMap(({ roleId, role }) => (roleId && role ? [[roleId, role]] : []))),
    statuses: byName(members.map(({ status }) => [status, capitalized(status)])),
    campaigns: byName(campaigns.map(({ id, name }) => [id, name])),
  };
}
