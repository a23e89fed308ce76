import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { listCampaignRows } from "@/app/[team]/list-campaign-rows";
import { saveTheme } from "@/app/account/actions";
import { startTeam } from "@/app/actions";
import { declineToJoin, joinTeam } from "@/app/invitation/[token]/actions";
import { endSession, renewSession, verifyCode } from "@/app/login/actions";
import { onlyTeamPage, readOwnTeams } from "@/app/only-team";
import { ShownName } from "@/components/auth/shown-name";
import { SignInAgain } from "@/components/auth/sign-in-again";
import { CampaignList } from "@/components/campaigns/campaign-list";
import { OwnInvitations } from "@/components/invitations/own-invitations";
import { Palette } from "@/components/palette/palette";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { RefusalPanel, whoToAskText } from "@/components/permissions/refusal-panel";
import { CampaignTable } from "@/components/progress/team-progress";
import { BrandBar, SkipLink } from "@/components/shell/brand";
import { FormatProvider } from "@/components/shell/format-provider";
import { PlacesProvider } from "@/components/shell/navigation/places-provider";
import { UserMenu } from "@/components/shell/navigation/user-menu";
import { NewTeam } from "@/components/team-access/new-team";
import { TextLink } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { describeLastChange } from "@/lib/activity/last-change";
import { allowsNewTeams } from "@/lib/env";
import { formatOf } from "@/lib/format/format-of";
import { isNewPerson } from "@/lib/invitations/invitations";
import { listGranters } from "@/lib/permissions/explain";
import type { TeamPlace } from "@/lib/permissions/list-places";
import { readRefusedPlace, requireSignedIn } from "@/lib/permissions/require-place";
import { type InactiveMembership, readOwnRoles } from "@/lib/team-access/members";
import { cn } from "@/lib/utils";

export const metadata: Metadata = { title: { absolute: "Your teams · Signet" } };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/**
 * `/`: the teams that the person can open, or what to do when there are none. An only team opens, unless with `?all` or,
 * after leaving another, `?left`.
 */
export default async function HomePage({ searchParams }: Props) {
  const { session, snapshot } = await requireSignedIn();
  const [ownTeams, refused, roles] = await Promise.all([
    readOwnTeams(session),
    readRefusedPlace(session.userId),
    readOwnRoles(session),
  ]);
  const { teams, toSecure, memberships, invitations } = ownTeams;
  const inactive = memberships.filter(({ teamId }) => !invitations.some((invitation) => invitation.teamId === teamId));
  const own = invitations.length > 0 && (
    <OwnInvitations
      invitations={invitations}
      email={session.email}
      isNew={await isNewPerson(session)}
      join={joinTeam}
      decline={declineToJoin}
    />
  );
  const sentFrom = teams.some(({ id }) => id === refused?.team) ? null : (refused?.team ?? null);
  const meant = teams.find(({ id }) => id === sentFrom?.toLowerCase());
  if (meant) redirect(`/${meant.id}`);
  const { all, left } = await searchParams;
  const leftNote = left !== undefined && <p role="status">You&apos;ve left the team.</p>;
  const onlyPage = onlyTeamPage(ownTeams);
  if (onlyPage && all === undefined && left === undefined && sentFrom === null) redirect(onlyPage);
  const changedTeam = sentFrom ?? inactive.find(({ status }) => status === "suspended")?.teamId;
  const whyChanged = changedTeam === undefined ? null : await describeLastChange(session.userId, changedTeam);
  const known = inactive.find(({ teamId }) => teamId === sentFrom);
  const [only] = inactive.length === 1 ? inactive : [];
  return (
    <>
      <SkipLink />
      <PermissionsCheck isRequestPending={!snapshot.teamAccess} />
      <SignInAgain userId={session.userId} email={session.email} signIn={renewSession} sendCode={verifyCode} />
      <BrandBar>
        <PlacesProvider userId={session.userId} teams={teams} canCreateTeam={allowsNewTeams()}>
          <Palette saveTheme={saveTheme} className="shrink-0 max-md:hidden" />
        </PlacesProvider>
        <UserMenu
          userId={session.userId}
          email={session.email}
          name={<ShownName person={session} />}
          signOut={endSession}
          placement="below"
        />
      </BrandBar>
      <main id="main" tabIndex={-1} className={cn("mx-auto w-full", snapshot.teamAccess ? "max-w-5xl" : "max-w-3xl")}>
        {!snapshot.teamAccess ? (
          <FormatProvider region={inactive[0]?.team}>
            <RefusalPanel
              title={
                only?.status === "suspended"
                  ? `Your access to ${only.team.name} ${lost(only)}`
                  : invitations.length > 0 && inactive.length === 0
                    ? `You're invited to ${formatOf().list([...new Set(invitations.map(({ team }) => team))])}`
                    : whyChanged || leftNote
                      ? "You no longer have access"
                      : inactive.length > 0
                        ? "No access"
                        : "You're not on a team yet"
              }
            >
              {leftNote}
              {whyChanged && <p>{whyChanged}</p>}
              {sentFrom !== null && inactive.length === 0 && <p>You can&apos;t open that page.</p>}
              {only?.status === "suspended" ? (
                <p>
                  You&apos;re signed in as {session.email}.{" "}
                  {whoToAskText(await listGranters(only.teamId, session.userId), "to restore your access")}
                </p>
              ) : (
                <NoTeam
                  email={session.email}
                  inactive={inactive}
                  isInvited={invitations.length > 0}
                  isRemoved={whyChanged !== null || leftNote !== false}
                />
              )}
              {own}
              {allowsNewTeams() && <NewTeam create={startTeam} />}
            </RefusalPanel>
          </FormatProvider>
        ) : (
          <div className="flex flex-col gap-6 px-4 py-8 md:px-6 md:py-12">
            {sentFrom !== null && (
              <p role="status" className="wrap-anywhere rounded-md border bg-muted px-4 py-3 leading-6">
                {known
                  ? `You can't open ${known.team.name} right now.`
                  : "There's no team at this address, or you're not a member of it."}{" "}
                {whyChanged}
              </p>
            )}
            {leftNote}
            <h1 className="font-semibold text-xl">Your teams</h1>
            {own}
            {
              await Promise.all(
                teams.map(async (team) => (
                  <FormatProvider key={team.id} region={team}>
                    <Team team={team} role={roles.get(team.id)} rows={await listRunning(team)} />
                  </FormatProvider>
                )),
              )
            }
            {allowsNewTeams() && <NewTeam create={startTeam} />}
            {toSecure.map(({ id, name }) => (
              <p key={id} className="wrap-anywhere rounded-md border px-4 py-3">
                {name} requires two-factor sign-in. <TextLink href={`/account?secure=${id}`}>Set it up</TextLink>
              </p>
            ))}
            {inactive.length > 0 && (
              <Section title="No access right now">
                <Inactive memberships={inactive} />
              </Section>
            )}
          </div>
        )}
      </main>
    </>
  );
}

// Archived campaigns are only counted here, so their progress isn't read.
const listRunning = (team: TeamPlace) =>
  listCampaignRows({ ...team, campaigns: team.campaigns.filter(({ archivedAt }) => archivedAt === null) });

type TeamProps = { team: TeamPlace; role: string | undefined; rows: Awaited<ReturnType<typeof listRunning>> };

function Team({ team, role, rows: { running, requests } }: TeamProps) {
  const format = formatOf(team);
  const archived = team.campaigns.length - running.length;
  const details = [role, archived > 0 && format.count(archived, "archived campaign")].filter(Boolean);
  return (
    <section aria-labelledby={`team-${team.id}`} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 id={`team-${team.id}`} className="wrap-anywhere font-semibold text-base">
          <TextLink href={`/${team.id}`}>{team.name}</TextLink>
        </h2>
        <p className="text-muted-foreground text-sm">{details.join(" · ")}</p>
        {requests.length > 0 && (
          <p className="text-sm">
            <TextLink href={`/${team.id}/activity`}>{format.count(requests.length, "access request")}</TextLink>
          </p>
        )}
      </div>
      {running.length === 0 ? (
        <p className="rounded-md border px-4 py-3 text-muted-foreground">
          {!team.permissionKeys.includes("members.manage")
            ? "You don't have access to any active campaign in this team."
            : archived > 0
              ? "No active campaigns."
              : "No campaigns yet."}
        </p>
      ) : running.some(({ progress }) => progress) ? (
        <CampaignTable
          teamId={team.id}
          format={format}
          campaigns={running}
          label={`Active campaigns of ${team.name}`}
        />
      ) : (
        <CampaignList teamId={team.id} campaigns={running} />
      )}
    </section>
  );
}

type NoTeamProps = { email: string; inactive: InactiveMembership[]; isInvited: boolean; isRemoved: boolean };

function NoTeam({ email, inactive, isInvited, isRemoved }: NoTeamProps) {
  if (inactive.length === 0) {
    const notInvited = isRemoved
      ? "To return, ask an administrator of the team for a new invitation."
      : "If you were invited, sign in with the address that was invited, or ask the team's administrator for an invitation.";
    return <p>{`You're signed in as ${email}. ${isInvited ? "Accept the invitation to start." : notInvited}`}</p>;
  }
  return (
    <>
      <p>You&apos;re signed in as {email}, but can&apos;t open any team right now.</p>
      <Inactive memberships={inactive} />
    </>
  );
}

const lost = ({ hasEnded }: Pick<InactiveMembership, "hasEnded">) => (hasEnded ? "has ended" : "is suspended");

function Inactive({ memberships }: { memberships: InactiveMembership[] }) {
  return (
    <ul className="list-disc pl-5">
      {memberships.map(({ teamId, team, status, hasEnded }) => (
        <li key={teamId} className="wrap-anywhere">
          {status === "suspended"
            ? `Your access to ${team.name} ${lost({ hasEnded })}. Ask an administrator of that team to restore your access.`
            : `You're invited to ${team.name} but haven't joined yet. Open the link in the invitation, or ask an administrator of that team for a new one.`}
        </li>
      ))}
    </ul>
  );
}
