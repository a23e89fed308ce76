import type { Metadata } from "next";
import { previewAccess, saveAccess } from "@/app/[team]/actions";
import { createPermissionSet, createRole, editPermissionSet, renameRole } from "@/app/[team]/roles/actions";
import { placeTitle } from "@/app/place-title";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { refusable } from "@/components/permissions/refusable";
import { PageBar } from "@/components/shell/page-bar";
import { AccessChanges } from "@/components/team-access/access-changes";
import { AdministratorBundles } from "@/components/team-access/administrator-bundles";
import { RolesList } from "@/components/team-access/roles-list";
import { SetsMatrix } from "@/components/team-access/sets-matrix";
import { findPlace } from "@/lib/permissions/find-place";
import { requirePermission } from "@/lib/permissions/require-place";
import { readTeamRoles } from "@/lib/team-access/read-team-roles";

type Props = { params: Promise<{ team: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: await placeTitle("Roles", await params) };
}

/** `/[team]/roles`: roles, what administrators hold, and permission sets by their keys, with `roles.manage`. */
export default refusable(async function RolesPage({ params }: Props) {
  const { team: teamId } = await params;
  await requirePermission({ team: teamId }, "roles.manage");
  const [{ team }, roles] = await Promise.all([findPlace({ team: teamId }), readTeamRoles(teamId)]);
  const teamName = team?.name ?? teamId;
  return (
    <AccessChanges teamName={teamName} save={saveAccess} preview={previewAccess}>
      <PageBar place={teamName} title="Roles" />
      <PermissionsCheck at={{ team: teamId }} />
      <div className="flex max-w-6xl flex-col gap-10 px-4 py-6 md:px-6">
        <RolesList teamId={teamId} roles={roles.roles} sets={roles.sets} create={createRole} rename={renameRole} />
        <AdministratorBundles teamId={teamId} teamName={teamName} roles={roles} />
        <SetsMatrix teamId={teamId} sets={roles.sets} create={createPermissionSet} edit={editPermissionSet} />
      </div>
    </AccessChanges>
  );
});
