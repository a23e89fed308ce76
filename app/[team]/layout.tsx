import { headers } from "next/headers";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { saveTheme } from "@/app/account/actions";
import { endSession, renewSession, verifyCode } from "@/app/login/actions";
import { ShownName } from "@/components/auth/shown-name";
import { SignInAgain } from "@/components/auth/sign-in-again";
import { Palette } from "@/components/palette/palette";
import { PermissionsProvider } from "@/components/permissions/permissions-provider";
import { FormatProvider } from "@/components/shell/format-provider";
import { PlacesProvider } from "@/components/shell/navigation/places-provider";
import { Shell } from "@/components/shell/shell";
import { TextLink } from "@/components/ui/link";
import { allowsNewTeams } from "@/lib/env";
import { formatOf } from "@/lib/format/format-of";
import { teamIdSchema } from "@/lib/ids";
import { listOpenRequests } from "@/lib/permissions/fingerprint";
import { listPlaces } from "@/lib/permissions/list-places";
import { requireTeam } from "@/lib/permissions/require-place";
import { pathHeader } from "@/lib/supabase/middleware";

type Props = { params: Promise<{ team: string }>; children: ReactNode };

/** The shell around a team's pages. It doesn't protect them: each page has its own guard. */
export default async function TeamLayout({ params, children }: Props) {
  const { team: teamId } = await params;
  // `api` and `.well-known` can't be team ids, so URLs below them are 404 for everyone.
  const path = (await headers()).get(pathHeader) ?? "";
  if (!teamIdSchema.safeParse(teamId).success && /^\/[^/?]+\/[^?]/.test(path)) notFound();
  const { session, snapshot } = await requireTeam(teamId);
  const canManageMembers = snapshot.permissionKeys.includes("members.manage");
  const [teams, requests] = await Promise.all([
    listPlaces(session),
    canManageMembers ? listOpenRequests(teamId, null) : [],
  ]);
  const team = teams.find(({ id }) => id === teamId);
  const dueAt = team?.secondFactorFrom;
  return (
    <PermissionsProvider keys={snapshot.permissionKeys}>
      <FormatProvider region={team}>
        <PlacesProvider userId={session.userId} teams={teams} canCreateTeam={allowsNewTeams()}>
          <Shell
            email={session.email}
            name={<ShownName person={session} />}
            signOut={endSession}
            goTo={<Palette saveTheme={saveTheme} />}
            requests={requests.length}
          >
            {dueAt && !session.hasEnteredCode && (
              <p className="border-b bg-primary-soft px-4 py-2 text-sm md:px-6 print:hidden">
                From {formatOf(team).dateTime(dueAt)}, {team?.name} requires two-factor sign-in.{" "}
                <TextLink href="/account">Set it up under Account</TextLink>
              </p>
            )}
            {children}
          </Shell>
          <SignInAgain userId={session.userId} email={session.email} signIn={renewSession} sendCode={verifyCode} />
        </PlacesProvider>
      </FormatProvider>
    </PermissionsProvider>
  );
}
