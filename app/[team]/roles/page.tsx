import { z } from "zod";
import { createPermissionSet, createRole, editPermissionSet, renameRole } from "@/app/[team]/roles/actions";
import { TeamFrame } from "@/app/[team]/team-frame";
import { pageMetadata, type TeamProps } from "@/app/page-props";
import { withRefusal } from "@/components/permissions/refusal";
import { PageTabs } from "@/components/shell/page-tabs";
import { Administrators } from "@/components/team-access/administrators";
import { PermissionHolders } from "@/components/team-access/permission-holders";
import { PermissionSets } from "@/components/team-access/permission-sets";
import { RolesList } from "@/components/team-access/roles-list";
import { formatOf } from "@/lib/format/format-of";
import { findPlace, requirePermission } from "@/lib/permissions/require-place";
import { permissionKeySchema } from "@/lib/permissions/snapshot";
import { listHolders, listMembers } from "@/lib/team-access/members";
import { readTeamRoles } from "@/lib/team-access/read-team-roles";

export const generateMetadata = pageMetadata("Roles");

const tabs = { roles: "Roles", sets: "Permission sets", administrators: "Administrators", who: "Who can do what" };
const tabSchema = z.enum(["roles", "sets", "administrators", "who"]).catch("roles");

/** `/[team]/roles?show=<tab>`, with `roles.manage`. `?show=who&key=<key>&in=<campaign>` asks who has a permission. */
export default withRefusal(async function RolesPage({ params, searchParams }: TeamProps) {
  const { team: teamId } = await params;
  const { snapshot } = await requirePermission({ team: teamId }, "roles.manage");
  const [{ team }, roles, query] = await Promise.all([
    findPlace({ team: teamId }),
    readTeamRoles(teamId),
    searchParams,
  ]);
  const teamName = team?.name ?? teamId;
  const activeTab = tabSchema.parse(query.show);
  const canOpenMembers = snapshot.permissionKeys.includes("members.view");
  const path = `/${teamId}/roles`;
  const hrefOf = (tab: string) => (tab === "roles" ? path : `${path}?show=${tab}`);
  const { data: key } = permissionKeySchema.safeParse(query.key);
  const campaign = roles.campaigns.find(({ id }) => id === query.in);
  return (
    <TeamFrame team={{ id: teamId, name: teamName }} title="Roles">
      <div className="flex max-w-6xl flex-col gap-6 px-4 py-4 md:px-6">
        <PageTabs
          label="Roles"
          tabs={Object.entries(tabs).map(([tab, label]) => ({ href: hrefOf(tab), label }))}
          shown={hrefOf(activeTab)}
        />
        {activeTab === "roles" && (
          <RolesList roles={roles.roles} sets={roles.sets} create={createRole} rename={renameRole} />
        )}
        {activeTab === "sets" && <PermissionSets roles={roles} create={createPermissionSet} edit={editPermissionSet} />}
        {activeTab === "administrators" && (
          <Administrators
            roles={roles}
            members={canOpenMembers ? (await listMembers(teamId)).filter(({ isAdministrator }) => isAdministrator) : []}
          />
        )}
        {activeTab === "who" && (
          <PermissionHolders
            team={{ id: teamId, name: teamName }}
            roles={roles}
            question={{ key, campaign }}
            holders={key ? await listHolders({ team: teamId, campaign: campaign?.id }, key) : null}
            canOpenMembers={canOpenMembers}
            format={formatOf(team)}
          />
        )}
      </div>
    </TeamFrame>
  );
});
