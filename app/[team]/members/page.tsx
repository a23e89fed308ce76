import type { Metadata } from "next";
import { saveAccess } from "@/app/[team]/actions";
import { placeTitle } from "@/app/place-title";
import { MembersTable } from "@/components/members/members-table";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { refusable } from "@/components/refusal/refusable";
import { PageBar } from "@/components/shell/page-bar";
import { findPlace } from "@/lib/permissions/find-place";
import { requirePermission } from "@/lib/permissions/require-place";
import { teamMembers } from "@/lib/teams/team-members";

type Props = { params: Promise<{ team: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: await placeTitle("Members", await params) };
}

/** `/[team]/members`: who is in the team, with `members.view`. */
export default refusable(async function MembersPage({ params }: Props) {
  const { team: teamId } = await params;
  const { session, snapshot } = await requirePermission({ team: teamId }, "members.view");
  const [{ team }, members] = await Promise.all([findPlace({ team: teamId }), teamMembers(teamId)]);
  return (
    <>
      <PageBar place={team?.name ?? teamId} title="Members" />
      <PermissionsCheck at={{ team: teamId }} />
      <div className="px-4 py-6 md:px-6">
        <MembersTable
          members={members}
          {...(snapshot.permissionKeys.includes("members.manage") && {
            change: { teamId, ownId: session.userId, save: saveAccess },
          })}
        />
      </div>
    </>
  );
});
