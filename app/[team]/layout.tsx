import type { ReactNode } from "react";
import { submitSignOut } from "@/app/login/actions";
import { PermissionsProvider } from "@/components/permissions/permissions-provider";
import { FormatProvider } from "@/components/shell/format-provider";
import { Shell } from "@/components/shell/shell";
import { listPlaces } from "@/lib/permissions/list-places";
import { requireTeam } from "@/lib/permissions/require-place";

type Props = { params: Promise<{ team: string }>; children: ReactNode };

/** The shell around a team's pages. It protects none of them: each page asks for itself. */
export default async function TeamLayout({ params, children }: Props) {
  const { team: teamId } = await params;
  const { session, snapshot } = await requireTeam(teamId);
  const teams = await listPlaces(session);
  return (
    <PermissionsProvider keys={snapshot.permissionKeys}>
      <FormatProvider region={teams.find(({ id }) => id === teamId)}>
        <Shell teams={teams} email={session.email} signOut={submitSignOut}>
          {children}
        </Shell>
      </FormatProvider>
    </PermissionsProvider>
  );
}
