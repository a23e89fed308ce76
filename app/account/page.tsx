import type { Metadata } from "next";
import { type ReactNode, useId } from "react";
import {
  disableSecondFactor,
  enableSecondFactor,
  endAllSessions,
  endOneSession,
  endOtherSessions,
  requestEmailChange,
  saveEmails,
  saveName,
  savePassword,
  saveTheme,
  startSecondFactor,
} from "@/app/account/actions";
import { endSession, renewSession, verifyCode } from "@/app/login/actions";
import {
  EmailChoicesForm,
  EmailForm,
  NameForm,
  NewSecondFactorForm,
  PasswordForm,
  RemoveSecondFactorForm,
  SignOutForm,
  ThemeForm,
} from "@/components/auth/account-forms";
import { SessionsList } from "@/components/auth/sessions-list";
import { SignInAgain } from "@/components/auth/sign-in-again";
import { FormDisclosure } from "@/components/forms/form-disclosure";
import { Palette } from "@/components/palette/palette";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { BrandBar, SkipLink } from "@/components/shell/brand";
import { FormatProvider } from "@/components/shell/format-provider";
import { PlacesProvider } from "@/components/shell/navigation/places-provider";
import { UserMenu } from "@/components/shell/navigation/user-menu";
import { TextLink } from "@/components/ui/link";
import { readName } from "@/lib/auth/account";
import { readEmailChoices } from "@/lib/auth/emails";
import { getSignIn } from "@/lib/auth/get-session";
import { hasSecondFactors } from "@/lib/auth/second-factor";
import { listSessions } from "@/lib/auth/sessions";
import { readTheme } from "@/lib/auth/theme";
import { allowsNewTeams } from "@/lib/env";
import { formatOf } from "@/lib/format/format-of";
import { listPlaces, listTeamsLackingSecondFactor } from "@/lib/permissions/list-places";
import { requireSignedIn } from "@/lib/permissions/require-place";

export const metadata: Metadata = { title: "Account" };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** `/account`: the user's own settings. `?secure=<team>` comes from a team that requires two-factor sign-in. */
export default async function AccountPage({ searchParams }: Props) {
  const { session } = await requireSignedIn();
  const [
    name,
    theme,
    signedIn,
    emails,
    sessions,
    teams,
    teamsRequiringSecondFactor,
    isSecondFactorAvailable,
    { secure },
  ] = await Promise.all([
    readName(session),
    readTheme(),
    getSignIn(),
    readEmailChoices(session),
    listSessions(session),
    listPlaces(session),
    listTeamsLackingSecondFactor(session),
    hasSecondFactors(),
    searchParams,
  ]);
  const [firstTeam] = teams.length > 0 ? teams : teamsRequiringSecondFactor;
  const requiringTeam = teamsRequiringSecondFactor.find(({ id }) => id === secure);
  return (
    <>
      <SkipLink />
      <PermissionsCheck />
      <SignInAgain userId={session.userId} email={session.email} signIn={renewSession} sendCode={verifyCode} />
      <BrandBar>
        <PlacesProvider userId={session.userId} teams={teams} canCreateTeam={allowsNewTeams()}>
          <Palette saveTheme={saveTheme} className="shrink-0 max-md:hidden" />
        </PlacesProvider>
        <UserMenu userId={session.userId} email={session.email} name={name} signOut={endSession} placement="below" />
      </BrandBar>
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-3xl px-4 py-8 md:px-6 md:py-12">
        <p className="mb-2">
          <TextLink href="/?all">Your teams</TextLink>
        </p>
        <h1 className="mb-2 font-semibold text-xl">Account</h1>
        {requiringTeam && (
          <p role="status" className="wrap-anywhere rounded-md border border-primary bg-primary-soft px-4 py-3">
            {isSecondFactorAvailable
              ? `${requiringTeam.name} requires two-factor sign-in. Set it up below with an authenticator app on your phone. Then you can open the team again.`
              : `${requiringTeam.name} requires two-factor sign-in, but it's turned off on this server. Ask the person who runs this server to turn it on, or a team administrator to stop requiring it.`}
          </p>
        )}
        <div className="divide-y">
          <Section title="Name" note={<>Members of your teams see you as {name}.</>} button="Change name">
            <NameForm name={name} save={saveName} />
          </Section>
          <Section title="Email" note={<>You sign in as {session.email}.</>} button="Change email">
            <EmailForm save={requestEmailChange} />
          </Section>
          <Section
            button="Change password"
            title="Password"
            note={
              <>
                Changing it signs you out everywhere else. Forgot it, or don't have one?{" "}
                <TextLink href="/login/forgotten?next=/account">Set a password by email</TextLink>
              </>
            }
          >
            <PasswordForm email={session.email} save={savePassword} />
          </Section>
          {(isSecondFactorAvailable || signedIn?.accountHasSecondFactor) && (
            <Section
              title="Two-factor sign-in"
              note={
                signedIn?.accountHasSecondFactor
                  ? "On. Signing in requires your password and a code from your authenticator app."
                  : "Off. Signing in requires only your password."
              }
              button={signedIn?.accountHasSecondFactor ? "Turn off two-factor sign-in" : "Set up two-factor sign-in"}
              startsOpen={requiringTeam !== undefined}
            >
              {signedIn?.accountHasSecondFactor ? (
                <RemoveSecondFactorForm remove={disableSecondFactor} />
              ) : (
                <NewSecondFactorForm start={startSecondFactor} enable={enableSecondFactor} />
              )}
            </Section>
          )}
          {emails.available && (
            <Section title="Notifications" note={<>Sent by email to {session.email}.</>}>
              <EmailChoicesForm choices={emails} save={saveEmails} />
            </Section>
          )}
          <Section title="Theme" note="Applies to this browser only.">
            <ThemeForm theme={theme} save={saveTheme} />
          </Section>
          <Section
            title="Sessions"
            note={`Where you're signed in. “Sign out everywhere” includes this device. Times are in ${formatOf(firstTeam).zoneName}.`}
          >
            <FormatProvider region={firstTeam}>
              <SessionsList
                sessions={sessions}
                ownId={session.sessionId}
                signOut={endOneSession}
                signOutOthers={endOtherSessions}
              />
            </FormatProvider>
            <SignOutForm userId={session.userId} signOut={endAllSessions} submit="Sign out everywhere" />
          </Section>
        </div>
      </main>
    </>
  );
}

/** A section. With a `button`, that shows and hides its form, which is hidden at first unless it `startsOpen`. */
function Section({
  title,
  note,
  button,
  startsOpen = false,
  children,
}: {
  title: string;
  note: ReactNode;
  button?: string;
  startsOpen?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid gap-x-8 gap-y-4 py-6 md:grid-cols-[14rem_minmax(0,22rem)]">
      <div>
        <h2 id={id} className="font-medium">
          {title}
        </h2>
        <p className="wrap-anywhere text-muted-foreground text-sm">{note}</p>
      </div>
      {button ? (
        <FormDisclosure button={button} subject={title.toLowerCase()} startsOpen={startsOpen}>
          {children}
        </FormDisclosure>
      ) : (
        <div className="flex flex-col gap-4">{children}</div>
      )}
    </section>
  );
}
