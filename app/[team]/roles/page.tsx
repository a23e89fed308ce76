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
import { RolesTabs, rolesTabOf } from "@/components/team-access/roles-tabs";
import { SetsMatrix } from "@/components/team-access/sets-matrix";
import { WhoCan } from "@/components/team-access/who-can";
import { formatOf } from "@/lib/format/format-of";
import { permissionKeySchema } from "@/lib/permissions/permission-key-schema";
import { findPlace, requirePermission } from "@/lib/permissions/require-place";
import { listHolders } from "@/lib/team-access/members";
import { readTeamRoles } from "@/lib/team-access/read-team-roles";

type Props = {
  params: Promise<{ team: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: await placeTitle("Roles", await params) };
}

/**
 * `/[team]/roles`: roles, permission sets by their keys, what administrators hold, or who holds a key, with `roles.manage`.
 * `?show=` says which; `?show=who&key=<key>&in=<campaign>` asks who.
 */
export default refusable(async function RolesPage({ params, searchParams }: Props) {
  const { team: teamId } = await params;
  const { snapshot } = await requirePermission({ team: teamId }, "roles.manage");
  const [{ team }, roles, asked] = await Promise.all([
    findPlace({ team: teamId }),
    readTeamRoles(teamId),
    searchParams,
  ]);
  const teamName = team?.name ?? teamId;
  const shown = rolesTabOf(asked.show);
  const { data: key } = permissionKeySchema.safeParse(asked.key);
  const campaign = roles.campaigns.find(({ id }) => id === asked.in);
  const place = { team: teamId, ...(campaign && { campaign: campaign.id }) };
  return (
    <AccessChanges teamName={teamName} save={saveAccess} preview={previewAccess}>
      <PageBar place={teamName} title="Roles" />
      <PermissionsCheck at={{ team: teamId }} />
      <div className="flex max-w-6xl flex-col gap-6 px-4 py-4 md:px-6">
        <RolesTabs path={`/${teamId}/roles`} shown={shown} />
        {shown === "roles" && (
          <RolesList teamId={teamId} roles={roles.roles} sets={roles.sets} create={createRole} rename={renameRole} />
        )}
        {shown === "sets" && (
          <SetsMatrix teamId={teamId} sets={roles.sets} create={createPermissionSet} edit={editPermissionSet} />
        )}
        {shown === "administrators" && <AdministratorBundles teamId={teamId} teamName={teamName} roles={roles} />}
        {shown === "who" && (
          <WhoCan
            team={{ id: teamId, name: teamName }}
            roles={roles}
            asked={{ key, campaign }}
            holders={key ? await listHolders(place, key) : null}
            mayOpenMembers={snapshot.permissionKeys.includes("members.view")}
            format={formatOf(team)}
          />
        )}
      </div>
    </AccessChanges>
  );
});
