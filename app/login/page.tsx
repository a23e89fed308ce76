import type { Metadata } from "next";
import { endSession, startSession, verifyCode } from "@/app/login/actions";
import { SignOutForm } from "@/components/auth/account-forms";
import { AuthPage } from "@/components/auth/auth-page";
import { CodeForm } from "@/components/auth/code-form";
import { LoginForm } from "@/components/auth/login-form";
import { TextLink } from "@/components/ui/link";
import { getSignIn, type Session } from "@/lib/auth/get-session";
import { nextPath } from "@/lib/auth/next-path";

export const metadata: Metadata = { title: "Sign in" };

const problems: Record<string, string> = {
  unavailable: "Signing in isn't working right now. Your link still works: open it again in a moment.",
  link: "This sign-in link was already used or has expired. Sign in with your password, or get a new link.",
};

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** `/login`, for everyone. People who are signed in can switch to another account. */
export default async function LoginPage({ searchParams }: Props) {
  const { next: requestedPath, problem } = await searchParams;
  const next = nextPath(requestedPath);
  // The form shows even while Auth is unreachable.
  const signedIn = await getSignIn().catch(() => null);
  if (signedIn?.needsCode) return <CodeStep session={signedIn.session} next={next} />;
  return (
    <AuthPage title="Sign in" note="Use the email your invitation was sent to.">
      {signedIn && (
        <p className="wrap-anywhere rounded-md border px-3 py-2">
          You're signed in as {signedIn.session.email}.{" "}
          <TextLink href={next} className="font-medium">
            Continue
          </TextLink>
        </p>
      )}
      <LoginForm
        signIn={startSession}
        next={next}
        problem={typeof problem === "string" && Object.hasOwn(problems, problem) ? (problems[problem] ?? null) : null}
      />
    </AuthPage>
  );
}

/** The second step of a sign-in. */
function CodeStep({ session, next }: { session: Session; next: string }) {
  return (
    <AuthPage title="Enter your code" note={`Open your authenticator app and enter its code for ${session.email}.`}>
      <CodeForm send={verifyCode} hidden={{ next }} submit={["Sign in", "Signing in…"]} />
      <div className="flex flex-col gap-4 border-t pt-4">
        <p className="text-muted-foreground">
          Lost your phone? Ask the person who runs this server to reset two-factor sign-in.
        </p>
        <SignOutForm userId={session.userId} signOut={endSession} submit="Use another account" />
      </div>
    </AuthPage>
  );
}
