import type { Metadata } from "next";
import { confirmEmailLink, resetPassword } from "@/app/auth/confirm/actions";
import { ConfirmForm } from "@/components/auth/auth-forms";
import { AuthPage } from "@/components/auth/auth-page";
import { ButtonLink, TextLink } from "@/components/ui/link";
import { type EmailLink, emailLinkSchema, passwordLinkSchema } from "@/lib/auth/links";
import { nextPathOn } from "@/lib/auth/next-path";
import { publicEnv } from "@/lib/env";
import { invitationPath } from "@/lib/invitations/invitation";

export const metadata: Metadata = { title: "Email link" };

const labels: Record<EmailLink["type"], { title: string; note: string; submit: string }> = {
  recovery: { title: "Set your password", note: "Saving it signs you out everywhere else.", submit: "Save password" },
  signup: {
    title: "Confirm your email",
    note: "Choose a password for signing in. You can use the one you entered before.",
    submit: "Confirm email",
  },
  email_change: {
    title: "Confirm your new email",
    note: "Once confirmed, you'll sign in with it.",
    submit: "Confirm change",
  },
  magiclink: { title: "Sign in to Signet", note: "This link works once.", submit: "Sign in" },
};

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** `/auth/confirm`: where the links of emails lead. Opening it doesn't use the link up: email scanners open links too. */
export default async function ConfirmPage({ searchParams }: Props) {
  const { next: requestedPath, ...sent } = await searchParams;
  const next = nextPathOn(publicEnv().siteUrl, requestedPath);
  const link = emailLinkSchema.safeParse(sent);
  const forgotten = `/login/forgotten?next=${encodeURIComponent(next)}`;
  const isExpired = sent.error_code === "otp_expired"; // Auth's, also for a used one
  if (!link.success) {
    return (
      <AuthPage
        title={isExpired ? "This link has expired or was already used" : "This link is incomplete"}
        note={
          isExpired ? "Each link works once, for one hour." : "Open it from the email again, or copy the whole link."
        }
      >
        {isExpired && <ButtonLink href={forgotten}>Get a new link</ButtonLink>}
        <Onward next={next} continues="Continue to Signet" renewal={isExpired ? undefined : forgotten} />
      </AuthPage>
    );
  }
  const { type } = link.data;
  const isInvitation = type !== "recovery" && next.startsWith(invitationPath(""));
  const { title, note, submit } =
    isInvitation && type === "magiclink"
      ? {
          title: "You're invited",
          note: "The button signs you in and opens your invitation.",
          submit: "Open invitation",
        }
      : labels[type];
  const asksPassword = passwordLinkSchema.safeParse(link.data).success;
  const renewalPath = asksPassword ? forgotten : type === "email_change" ? "/account" : undefined;
  const renewal = isInvitation ? undefined : renewalPath;
  const continues = isInvitation ? "Go to the invitation" : "Continue to Signet";
  return (
    <AuthPage title={title} note={note}>
      <ConfirmForm
        confirm={asksPassword ? resetPassword : confirmEmailLink}
        asksPassword={asksPassword}
        link={{ ...link.data, next }}
        submit={submit}
        instead={renewal ? [renewal, "Get a new link"] : [next, continues]}
      />
      <Onward next={next} continues={continues} renewal={renewal} />
    </AuthPage>
  );
}

/** What to do about a link that doesn't work. `renewal` is the page that sends a new one. */
function Onward({ next, renewal, continues }: { next: string; renewal: string | undefined; continues: string }) {
  return (
    <p className="border-t pt-4 text-muted-foreground peer-has-[>a]:hidden">
      {renewal && (
        <>
          Still not working? <TextLink href={renewal}>Get a new link</TextLink> or{" "}
        </>
      )}
      <TextLink href={next}>{renewal ? "continue to Signet" : continues}</TextLink>
    </p>
  );
}
