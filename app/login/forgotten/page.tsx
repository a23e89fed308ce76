import type { Metadata } from "next";
import { requestPasswordReset } from "@/app/login/forgotten/actions";
import { ForgottenForm } from "@/components/auth/auth-forms";
import { AuthPage } from "@/components/auth/auth-page";
import { TextLink } from "@/components/ui/link";
import { nextPath } from "@/lib/auth/next-path";

export const metadata: Metadata = { title: "Set a new password" };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** `/login/forgotten`, for everyone. */
export default async function ForgottenPage({ searchParams }: Props) {
  const next = nextPath((await searchParams).next);
  return (
    <AuthPage title="Set a new password" note="Enter your email and we'll send you a link.">
      <ForgottenForm send={requestPasswordReset} next={next} />
      <TextLink href={`/login?next=${encodeURIComponent(next)}`} className="self-start">
        Back to sign-in
      </TextLink>
    </AuthPage>
  );
}
