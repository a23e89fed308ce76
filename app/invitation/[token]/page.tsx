import type { Metadata } from "next";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { createAccount, declineToJoin, joinTeam, sendPasswordLink } from "@/app/invitation/[token]/actions";
import { endSession } from "@/app/login/actions";
import { SignOutForm } from "@/components/auth/account-forms";
import { ShownName } from "@/components/auth/shown-name";
import { ActionForm } from "@/components/forms/action-form";
import { InvitationAnswer, SignUpForm } from "@/components/invitations/invitation-forms";
import { BrandBar, SkipLink } from "@/components/shell/brand";
import { UserMenu } from "@/components/shell/navigation/user-menu";
import { ButtonLink } from "@/components/ui/link";
import { getSession, type Session } from "@/lib/auth/get-session";
import { invitationPath } from "@/lib/invitations/invitation";
import { type Invitation, isFirstVisit, readInvitation } from "@/lib/invitations/invitations";
import { closedInvitation, noLink } from "@/lib/invitations/messages";
import { listPlaces } from "@/lib/permissions/list-places";

export const metadata: Metadata = { title: "Invitation" };

type Props = { params: Promise<{ token: string }> };

/**
 * `/invitation/[token]`: an invitation, for anyone with its link. Only the invited email can accept it; for the person who did,
 * it opens the team.
 */
export default async function InvitationPage({ params }: Props) {
  const { token } = await params;
  const [invitation, session] = await Promise.all([readInvitation(token), getSession()]);
  if (session && invitation?.state === "used" && isFor(invitation, session)) {
    if ((await listPlaces(session)).some(({ id }) => id === invitation.teamId)) redirect(`/${invitation.teamId}`);
  }
  const isNew = session !== null && (await isFirstVisit(session, invitation));
  return (
    <>
      <SkipLink />
      <BrandBar>
        {session && (
          <UserMenu
            userId={session.userId}
            email={session.email}
            name={<ShownName person={session} />}
            signOut={endSession}
            placement="below"
          />
        )}
      </BrandBar>
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto flex w-full max-w-2xl flex-col items-start gap-4 px-4 py-8 leading-6 md:px-6 md:py-12"
      >
        {invitation?.state === "open" ? (
          <Open token={token} invitation={invitation} session={session} isNew={isNew} />
        ) : (
          <Closed
            why={invitation ? closedInvitation(invitation.state, invitation) : ["Invitation not found", noLink]}
            button={session ? "Open Signet" : "Sign in"}
          />
        )}
      </main>
    </>
  );
}

const isFor = ({ email }: Invitation, session: Session) => session.email.toLowerCase() === email;

function Open({
  token,
  invitation,
  session,
  isNew,
}: {
  token: string;
  invitation: Invitation;
  session: Session | null;
  isNew: boolean;
}) {
  const { team, access, mailed, invitedBy } = invitation;
  return (
    <>
      <Title>You're invited to {team}</Title>
      <p className="wrap-anywhere">
        {invitedBy ? `${invitedBy} invited ${invitation.email}` : `${invitation.email} is invited`} to join {team} as{" "}
        {access}.
      </p>
      {session === null ? (
        <>
          <p>Sign in with this address to join. You'll come back here.</p>
          <ButtonLink href={`/login?next=${encodeURIComponent(invitationPath(token))}`}>Sign in</ButtonLink>
          <h2 className="mt-4 font-semibold text-lg">
            {mailed ? "No password yet, or forgot it?" : "No account yet?"}
          </h2>
          {mailed ? (
            <>
              <p>The link in your invitation email signs you in without a password for one hour.</p>
              <ActionForm
                action={sendPasswordLink}
                hidden={{ token }}
                submit={["Email me a link to choose a password", "Sending…"]}
                variant="outline"
              />
            </>
          ) : (
            <SignUpForm token={token} email={invitation.email} signUp={createAccount} />
          )}
        </>
      ) : isFor(invitation, session) ? (
        <InvitationAnswer
          token={token}
          team={team}
          email={session.email}
          name={isNew ? (invitation.name ?? "") : null}
          join={joinTeam}
          decline={declineToJoin}
        />
      ) : (
        <>
          <p className="wrap-anywhere">
            You're signed in as {session.email}, but this invitation is for {invitation.email}. Sign out to join with
            that address, or ask for an invitation for {session.email}.
          </p>
          <SignOutForm
            userId={session.userId}
            signOut={endSession}
            submit="Sign out and continue"
            next={invitationPath(token)}
          />
        </>
      )}
    </>
  );
}

function Closed({ why: [what, then], button }: { why: [what: string, then: string]; button: string }) {
  return (
    <>
      <Title>{what}</Title>
      <p className="wrap-anywhere">{then}</p>
      <ButtonLink href="/" variant="outline">
        {button}
      </ButtonLink>
    </>
  );
}

function Title({ children }: { children: ReactNode }) {
  return <h1 className="wrap-anywhere font-semibold text-xl">{children}</h1>;
}
