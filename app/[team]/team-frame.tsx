import type { ReactNode } from "react";
import { previewAccess, saveAccess } from "@/app/[team]/actions";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { PageBar } from "@/components/shell/page-bar";
import { AccessChanges } from "@/components/team-access/access-changes";

/** Layout of team pages that can change access. `actions` are at the right of the page bar. */
export function TeamFrame({
  team,
  title,
  actions,
  children,
}: {
  team: { id: string; name: string };
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <AccessChanges team={team} save={saveAccess} preview={previewAccess}>
      <PageBar place={team.name} title={title}>
        {actions}
      </PageBar>
      <PermissionsCheck at={{ team: team.id }} />
      {children}
    </AccessChanges>
  );
}
