import type { Metadata } from "next";
import Link from "next/link";
import { submitCode, submitSignIn, submitSignOut } from "@/app/login/actions";
import { SignOutForm } from "@/components/auth/account-forms";
import { AuthPage } from "@/components/auth/auth-page";
import { CodeForm } from "@/components/auth/code-form";
import { LoginForm } from "@/components/auth/login-form";
import { getSignIn, type Session } from "@/lib/auth/get-session";
import { nextPath } from "@/lib/auth/next-path";

export const metadata: Metadata = { title: "Sign in" };

const problems: Record<string, string> = {
  away: "Signing in does not work right now, so your link was not used. Open it again in a moment.",
  link: "This sign-in link has been used already or is too old. Sign in with your password, or ask for a new link.",
};

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** `/login`: open to everyone. Those who are signed in may sign in as somebody else. */
export default async function LoginPage({ searchParams }: Props) {
  const { next: wanted, problem } = await searchParams;
  const next = nextPath(wanted);
  // While Auth is away the form still has to show.
  const signedIn = await getSignIn().catch(() => null);
  if (signedIn?.isHalf) return <SecondHalf session={signedIn.session} next={next} />;
  return (
    <AuthPage title="Sign in" note="Use the e-mail address of your team account.">
      {signedIn && (
        <p className="wrap-anywhere rounded-md border px-3 py-2">
          You are signed in as {signedIn.session.email}.{" "}
          <Link href={next} prefetch={false} className="font-medium text-primary underline underline-offset-2">
            Continue
          </Link>
        </p>
      )}
      <LoginForm
        signIn={submitSignIn}
        next={next}
        problem={typeof problem === "string" && Object.hasOwn(problems, problem) ? (problems[problem] ?? null) : null}
      />
    </AuthPage>
  );
}

/** What half a sign-in still lacks. */
function SecondHalf({ session, next }: { session: Session; next: string }) {
  return (
    <AuthPage title="Your code" note={`The authenticator app on your phone shows it, for ${session.email}.`}>
      <CodeForm send={submitCode} hidden={{ next }} submit={["Sign in", "Signing in…"]} />
      <div className="flex flex-col gap-4 border-t pt-4">
        <p className="text-muted-foreground">
          Is your phone lost? Who operates this Signet can take the second factor off your account.
        </p>
        <SignOutForm userId={session.userId} signOut={submitSignOut} submit="Sign in as somebody else" />
      </div>
    </AuthPage>
  );
}
