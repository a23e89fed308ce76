import type { Metadata } from "next";
import Link from "next/link";
import { submitSignIn } from "@/app/login/actions";
import { AuthPage } from "@/components/auth/auth-page";
import { LoginForm } from "@/components/auth/login-form";
import { getSession } from "@/lib/auth/get-session";
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
  const session = await getSession().catch(() => null);
  return (
    <AuthPage title="Sign in" note="Use the e-mail address of your team account.">
      {session && (
        <p className="wrap-anywhere rounded-md border px-3 py-2">
          You are signed in as {session.email}.{" "}
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
