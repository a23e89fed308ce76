import type { Metadata } from "next";
import Link from "next/link";
import { type ReactNode, useId } from "react";
import {
  submitBeginSecondFactor,
  submitConfirmSecondFactor,
  submitEmail,
  submitName,
  submitPassword,
  submitRemoveSecondFactor,
  submitSignOutEverywhere,
  submitTheme,
} from "@/app/account/actions";
import { submitCode, submitSignInAgain, submitSignOut } from "@/app/login/actions";
import { EmailForm, NameForm, PasswordForm, SignOutForm, ThemeForm } from "@/components/auth/account-forms";
import { NewSecondFactorForm, RemoveSecondFactorForm } from "@/components/auth/second-factor-form";
import { SignInAgain } from "@/components/auth/sign-in-again";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { BrandBar } from "@/components/shell/brand-bar";
import { SkipLink } from "@/components/shell/skip-link";
import { UserMenu } from "@/components/shell/user-menu";
import { readName } from "@/lib/auth/account";
import { getSignIn } from "@/lib/auth/get-session";
import { readTheme } from "@/lib/auth/theme";
import { requireHome } from "@/lib/permissions/require-place";

export const metadata: Metadata = { title: "Account" };

/** `/account`: what belongs to the signed-in person alone, whatever her teams. */
export default async function AccountPage() {
  const { session } = await requireHome();
  const [name, theme, signedIn] = await Promise.all([readName(session), readTheme(), getSignIn()]);
  return (
    <>
      <SkipLink />
      <PermissionsCheck />
      <SignInAgain userId={session.userId} email={session.email} signIn={submitSignInAgain} showCode={submitCode} />
      <BrandBar>
        <UserMenu userId={session.userId} email={session.email} signOut={submitSignOut} placement="below" />
      </BrandBar>
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-3xl px-4 py-8 md:px-6 md:py-12">
        <p className="mb-2">
          <Link href="/" prefetch={false} className="text-primary underline underline-offset-2">
            Your teams
          </Link>
        </p>
        <h1 className="mb-2 font-semibold text-xl">Account</h1>
        <div className="divide-y">
          <Part title="Name" note="The members of your teams know you by it.">
            <NameForm name={name} save={submitName} />
          </Part>
          <Part title="E-mail address" note={<>You sign in as {session.email}.</>}>
            <EmailForm save={submitEmail} />
          </Part>
          <Part
            title="Password"
            note={
              <>
                Other browsers in which you are signed in are signed out. You came by a link and have none yet?{" "}
                <Link href="/login/forgotten?next=/account" className="text-primary underline underline-offset-2">
                  Choose one by e-mail
                </Link>
              </>
            }
          >
            <PasswordForm email={session.email} save={submitPassword} />
          </Part>
          <Part
            title="Second factor"
            note="Signing in asks for a code of an app on your phone too, so that a password that leaks opens nothing."
          >
            {signedIn?.hasSecondFactor ? (
              <RemoveSecondFactorForm remove={submitRemoveSecondFactor} />
            ) : (
              <NewSecondFactorForm begin={submitBeginSecondFactor} confirm={submitConfirmSecondFactor} />
            )}
          </Part>
          <Part title="Theme" note="In this browser.">
            <ThemeForm theme={theme} save={submitTheme} />
          </Part>
          <Part title="Sessions" note="In all browsers and on all devices, this one too.">
            <SignOutForm userId={session.userId} signOut={submitSignOutEverywhere} submit="Sign out everywhere" />
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
