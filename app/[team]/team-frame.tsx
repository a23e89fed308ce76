import type { ReactNode } from "react";
import { previewAccess, saveAccess } from "@/app/[team]/actions";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { PageBar } from "@/components/shell/page-bar";
import { AccessChanges } from "@/components/team-access/access-changes";

/** Layout of team pages that can change access. Without a `title`, the page has its own; `actions` are at the right of the bar. */
export function TeamFrame({
  team,
  title,
  actions,
  isRequestPending = false,
  children,
}: {
  team: { id: string; name: string };
  title?: string;
  actions?: ReactNode;
  isRequestPending?: boolean;
  children: ReactNode;
}) {
  return (
    <AccessChanges team={team} save={saveAccess} preview={previewAccess}>
      <PageBar place={team.name} {...(title && { title })}>
        {actions}
      </PageBar>
      <PermissionsCheck at={{ team: team.id }} isRequestPending={isRequestPending} />
      {children}
    </AccessChanges>
  );
}
