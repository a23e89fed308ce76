import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { submitAcceptance, submitPasswordLink, submitSignUp } from "@/app/invitation/[token]/actions";
import { endSession } from "@/app/login/actions";
import { SignUpForm } from "@/components/auth/auth-forms";
import { AcceptForm } from "@/components/invitations/accept-form";
import { PasswordLinkForm } from "@/components/invitations/password-link-form";
import { BrandBar } from "@/components/shell/brand-bar";
import { SkipLink } from "@/components/shell/skip-link";
import { UserMenu } from "@/components/shell/user-menu";
import { buttonVariants } from "@/components/ui/button";
import { getSession } from "@/lib/auth/get-session";
import { invitationPath } from "@/lib/invitations/invitation-link";
import { type Invitation, readInvitation } from "@/lib/invitations/invitations";

export const metadata: Metadata = { title: "Invitation" };

type Props = { params: Promise<{ token: string }> };

/** `/invitation/[token]`: what a link invites to, for everyone who has it; accepting asks for its address to be signed in. */
export default async function InvitationPage({ params }: Props) {
  const { token } = await params;
  const [invitation, session] = await Promise.all([readInvitation(token), getSession()]);
  return (
    <>
      <SkipLink />
      <BrandBar>
        {session && <UserMenu userId={session.userId} email={session.email} signOut={endSession} placement="below" />}
      </BrandBar>
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto flex w-full max-w-2xl flex-col items-start gap-4 px-4 py-8 leading-6 md:px-6 md:py-12"
      >
        {invitation?.state === "open" ? (
          <Open token={token} invitation={invitation} email={session?.email ?? null} />
        ) : (
          <Closed invitation={invitation} />
        )}
      </main>
    </>
  );
}

function Open({ token, invitation, email }: { token: string; invitation: Invitation; email: string | null }) {
  const { team, role, campaigns, mailed, invitedBy } = invitation;
  return (
    <>
      <Title>You are invited to {team}</Title>
      <p className="wrap-anywhere">
        {invitedBy ?? "The team"} invites {invitation.email} to {team} as{" "}
        <strong className="font-semibold">{role}</strong>
        {campaigns.length > 0 && `, with ${campaigns.join(", ")}`}.
      </p>
      {email === null ? (
        <>
          <p>Sign in with that address to join. The invitation is still here when you come back.</p>
          <Link
            href={`/login?next=${encodeURIComponent(invitationPath(token))}`}
            prefetch={false}
            className={buttonVariants()}
          >
            Sign in
          </Link>
          <h2 className="mt-4 font-semibold text-lg">{mailed ? "No password yet?" : "No account yet?"}</h2>
          {mailed ? (
            <>
              <p>The link in the e-mail that you got with this invitation signs you in without one, for an hour.</p>
              <PasswordLinkForm token={token} send={submitPasswordLink} />
            </>
          ) : (
            <SignUpForm token={token} email={invitation.email} signUp={submitSignUp} />
          )}
        </>
      ) : email.toLowerCase() === invitation.email ? (
        <AcceptForm token={token} teamName={team} accept={submitAcceptance} />
      ) : (
        <p className="wrap-anywhere">
          You are signed in as {email}, and the invitation works for {invitation.email} alone. Sign out at the top
          right, open the link again, and sign in with that address; or ask for an invitation of {email}.
        </p>
      )}
    </>
  );
}

const reasons = {
  used: "This invitation has been accepted already, and works once.",
  revoked: "This invitation was revoked. Ask the team for a new one.",
  expired: "This invitation has expired: it was good for seven days. Ask the team for a new one.",
};

function Closed({ invitation }: { invitation: Invitation | null }) {
  const state = invitation?.state;
  return (
    <>
      <Title>This invitation is not open</Title>
      <p>
        {state && state !== "open"
          ? reasons[state]
          : "This link leads to no invitation. Check that you have copied all of it, or ask for a new one."}
      </p>
      <Link href="/" prefetch={false} className={buttonVariants({ variant: "outline" })}>
        Go to your teams
      </Link>
    </>
  );
}

function Title({ children }: { children: ReactNode }) {
  return <h1 className="wrap-anywhere font-semibold text-xl">{children}</h1>;
}
