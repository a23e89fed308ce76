import type { Metadata } from "next";
import Link from "next/link";
import { submitForgotten } from "@/app/login/forgotten/actions";
import { AuthPage } from "@/components/auth/auth-page";
import { ForgottenForm } from "@/components/auth/forgotten-form";
import { nextPath } from "@/lib/auth/next-path";

export const metadata: Metadata = { title: "Forgotten password" };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** `/login/forgotten`: open to everyone. */
export default async function ForgottenPage({ searchParams }: Props) {
  const next = nextPath((await searchParams).next);
  return (
    <AuthPage
      title="Choose a new password"
      note="Write the e-mail address of your account, and a link to choose a new password goes there."
    >
      <ForgottenForm send={submitForgotten} next={next} />
      <Link
        href={`/login?next=${encodeURIComponent(next)}`}
        prefetch={false}
        className="self-start text-primary underline underline-offset-2"
      >
        Back to signing in
      </Link>
    </AuthPage>
  );
}
