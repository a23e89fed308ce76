import type { Metadata } from "next";
import Link from "next/link";
import { submitLink, submitNewPassword } from "@/app/auth/confirm/actions";
import { AuthPage } from "@/components/auth/auth-page";
import { ConfirmForm } from "@/components/auth/confirm-form";
import { type EmailLink, emailLinkSchema, passwordLinkSchema } from "@/lib/auth/links";
import { nextPathOn } from "@/lib/auth/next-path";
import { publicEnv } from "@/lib/env";

export const metadata: Metadata = { title: "Confirm" };

const texts: Record<EmailLink["type"], { title: string; note: string; submit: string }> = {
  recovery: {
    title: "Choose a new password",
    note: "It holds from now on, and other browsers in which you are signed in are signed out.",
    submit: "Save the new password",
  },
  signup: {
    title: "Confirm your e-mail address",
    note: "Choose the password that you sign in with from now on. It can be the one that you wrote before.",
    submit: "Confirm the address",
  },
  email_change: {
    title: "Confirm your new e-mail address",
    note: "You sign in with it from then on.",
    submit: "Confirm the change",
  },
  magiclink: { title: "Sign in to Signet", note: "The link that brought you here works once.", submit: "Sign in" },
};

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/**
 * `/auth/confirm`: where the links of e-mails lead, for everyone who has one. To open it uses nothing up: programs that look
 * through e-mails do so too.
 */
export default async function ConfirmPage({ searchParams }: Props) {
  const { next: wanted, ...sent } = await searchParams;
  const next = nextPathOn(publicEnv().siteUrl, wanted);
  const link = emailLinkSchema.safeParse(sent);
  if (!link.success) {
    return (
      <AuthPage title="This link is not whole" note="Open it from the e-mail again, or copy all of it.">
        <Onward next={next} asksPassword={false} />
      </AuthPage>
    );
  }
  const { type } = link.data;
  const { title, note, submit } = texts[type];
  const asksPassword = passwordLinkSchema.safeParse(link.data).success;
  return (
    <AuthPage title={title} note={note}>
      <ConfirmForm
        confirm={asksPassword ? submitNewPassword : submitLink}
        asksPassword={asksPassword}
        link={{ ...link.data, next }}
        submit={submit}
      />
      <Onward next={next} asksPassword={asksPassword} />
    </AuthPage>
  );
}

/** For a link that works no more. */
function Onward({ next, asksPassword }: { next: string; asksPassword: boolean }) {
  const query = `?next=${encodeURIComponent(next)}`;
  return (
    <p className="border-t pt-4 text-muted-foreground">
      Does it not work any more?{" "}
      <Link
        href={asksPassword ? `/login/forgotten${query}` : next}
        prefetch={false}
        className="text-primary underline underline-offset-2"
      >
        {asksPassword ? "Ask for a new link" : "Go on without it"}
      </Link>
    </p>
  );
}
