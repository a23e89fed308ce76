import type { Metadata } from "next";
import { type ReactNode, useId } from "react";
import {
  disableSecondFactor,
  enableSecondFactor,
  endAllSessions,
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
import { SignInAgain } from "@/components/auth/sign-in-again";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { BrandBar, SkipLink } from "@/components/shell/brand";
import { UserMenu } from "@/components/shell/navigation/user-menu";
import { TextLink } from "@/components/ui/link";
import { readName } from "@/lib/auth/account";
import { readEmailChoices } from "@/lib/auth/emails";
import { getSignIn } from "@/lib/auth/get-session";
import { readTheme } from "@/lib/auth/theme";
import { requireHome } from "@/lib/permissions/require-place";

export const metadata: Metadata = { title: "Account" };

/** `/account`: the person's own settings. */
export default async function AccountPage() {
  const { session } = await requireHome();
  const [name, theme, signedIn, emails] = await Promise.all([
    readName(session),
    readTheme(),
    getSignIn(),
    readEmailChoices(session),
  ]);
  return (
    <>
      <SkipLink />
      <PermissionsCheck />
      <SignInAgain userId={session.userId} email={session.email} signIn={renewSession} sendCode={verifyCode} />
      <BrandBar>
        <UserMenu userId={session.userId} email={session.email} signOut={endSession} placement="below" />
      </BrandBar>
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-3xl px-4 py-8 md:px-6 md:py-12">
        <p className="mb-2">
          <TextLink href="/">Your teams</TextLink>
        </p>
        <h1 className="mb-2 font-semibold text-xl">Account</h1>
        <div className="divide-y">
          <Part title="Name" note="Shown to members of your teams.">
            <NameForm name={name} save={saveName} />
          </Part>
          <Part title="Email" note={<>You sign in as {session.email}.</>}>
            <EmailForm save={requestEmailChange} />
          </Part>
          <Part
            title="Password"
            note={
              <>
                Changing it signs you out everywhere else. No password yet?{" "}
                <TextLink href="/login/forgotten?next=/account">Set one by email</TextLink>
              </>
            }
          >
            <PasswordForm email={session.email} save={savePassword} />
          </Part>
          <Part title="Two-factor sign-in" note="Require a code from an authenticator app when you sign in.">
            {signedIn?.hasSecondFactor ? (
              <RemoveSecondFactorForm remove={disableSecondFactor} />
            ) : (
              <NewSecondFactorForm start={startSecondFactor} enable={enableSecondFactor} />
            )}
          </Part>
          {emails.available && (
            <Part title="Notifications" note={<>Sent by email to {session.email}.</>}>
              <EmailChoicesForm choices={emails} save={saveEmails} />
            </Part>
          )}
          <Part title="Theme" note="Applies to this browser only.">
            <ThemeForm theme={theme} save={saveTheme} />
          </Part>
          <Part title="Sessions" note="Signs you out on every device, including this one.">
            <SignOutForm userId={session.userId} signOut={endAllSessions} submit="Sign out everywhere" />
          </Part>
        </div>
      </main>
    </>
  );
}

function Part({ title, note, children }: { title: string; note: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid gap-x-8 gap-y-4 py-6 md:grid-cols-[14rem_minmax(0,22rem)]">
      <div>
        <h2 id={id} className="font-medium">
          {title}
        </h2>
        <p className="wrap-anywhere text-muted-foreground text-sm">{note}</p>
      </div>
      <div>{children}</div>
    </section>
  );
}
