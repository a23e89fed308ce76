import type { ReactNode } from "react";
import { previewAccess, saveAccess } from "@/app/[team]/actions";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { PageBar } from "@/components/shell/page-bar";
import { AccessChanges } from "@/components/team-access/access-changes";

/** The frame of a team's page on which access can be changed. `bar` is at the right of its bar. */
export function TeamFrame({
  team,
  title,
  bar,
  children,
}: {
  team: { id: string; name: string };
  title: string;
  bar?: ReactNode;
  children: ReactNode;
}) {
  return (
    <AccessChanges team={team} save={saveAccess} preview={previewAccess}>
      <PageBar place={team.name} title={title}>
        {bar}
      </PageBar>
      <PermissionsCheck at={{ team: team.id }} />
      {children}
    </AccessChanges>
  );
}
