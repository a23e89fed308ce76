"use client";

import { useRouter } from "next/navigation";
import { useActionState, useEffect, useState } from "react";
import { useSessionEnded } from "@/components/forms/use-session-ended";
import { CopyLink } from "@/components/invitations/copy-link";
import { useFormat } from "@/components/shell/format-provider";
import { useAccessChanges } from "@/components/team-access/access-changes";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import { type FormSubmit, unsent } from "@/lib/forms/form-state";
import type { OpenInvitation } from "@/lib/invitations/invitations";

type Actions = {
  showLink: FormSubmit<{ link: string }>;
  resend: FormSubmit;
  revoke: FormSubmit;
};

const pollIntervalMs = 10_000; // while emails are queued and the tab is visible

/** Invitations that no one has accepted yet, the state of their emails, and their actions. Nothing if there are none. */
export function OpenInvitationsList({
  invitations,
  showLink,
  resend,
  revoke,
}: { invitations: OpenInvitation[] } & Actions) {
  const { team } = useAccessChanges();
  const [shown, show, showing] = useActionState(showLink, unsent);
  const [resent, sendAgain, resending] = useActionState(resend, unsent);
  const [revoked, revokeIt, revoking] = useActionState(revoke, unsent);
  useSessionEnded(shown);
  useSessionEnded(resent);
  useSessionEnded(revoked);
  const [last, setLast] = useState<"link" | "resend" | "revoke">("link");
  const [closed, setClosed] = useState<typeof shown | null>(null);
  const pending = showing || resending || revoking;
  const state = { link: shown, resend: resent, revoke: revoked }[last];
  const link = shown.error === null && shown !== closed ? shown.data?.link : undefined;

  const router = useRouter();
  const isQueued = invitations.some(({ mail, expired }) => mail === "waiting" && !expired);
  useEffect(() => {
    if (!isQueued) return;
    const timer = setInterval(() => document.visibilityState === "visible" && router.refresh(), pollIntervalMs);
    return () => clearInterval(timer);
  }, [isQueued, router]);

  const button = (id: string, what: typeof last, action: (form: FormData) => void, label: string, email: string) => (
    <form action={action} onSubmit={(event) => (pending ? event.preventDefault() : setLast(what))}>
      <input type="hidden" name="team" value={team.id} />
      <input type="hidden" name="id" value={id} />
      <Button type="submit" variant="outline" aria-disabled={pending}>
        {label}
        <span className="sr-only"> invitation of {email}</span>
      </Button>
    </form>
  );

  return (
    <section aria-label="Open invitations" className={invitations.length > 0 ? "flex flex-col gap-2" : "sr-only"}>
      {invitations.length > 0 && (
        <>
          <h2 className="font-semibold">
            Open invitations <span className="font-normal text-muted-foreground">{summary(invitations)}</span>
          </h2>
          <ul className="max-h-96 divide-y overflow-y-auto rounded-md border">
            {invitations.map((invitation) => (
              <li key={invitation.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-1.5">
                <About {...invitation} />
                <div className="flex flex-wrap gap-2">
                  {!invitation.expired && button(invitation.id, "link", show, "Copy link", invitation.email)}
                  {invitation.mail !== "waiting" || invitation.expired
                    ? button(
                        invitation.id,
                        "resend",
                        sendAgain,
                        invitation.expired ? "Invite again" : invitation.mail === null ? "Send email" : "Send again",
                        invitation.email,
                      )
                    : null}
                  {button(invitation.id, "revoke", revokeIt, "Revoke", invitation.email)}
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
      <p role="status" className="text-muted-foreground text-sm empty:hidden">
        {pending ? "One moment…" : last === "link" ? null : state.message}
      </p>
      <p role="alert" className="text-destructive text-sm empty:hidden">
        {pending ? null : state.error}
      </p>
      {link && (
        <Dialog title="Invitation link" onClose={() => setClosed(shown)}>
          <DialogBody>
            <CopyLink link={link} />
            <p className="text-muted-foreground text-sm">It works once, and only for the invited address.</p>
          </DialogBody>
          <DialogFooter>
            <Button onClick={() => setClosed(shown)}>Done</Button>
          </DialogFooter>
        </Dialog>
      )}
    </section>
  );
}

function About({ email, name, role, campaigns, invitedBy, expiresAt, expired, mail }: OpenInvitation) {
  const { shortDay } = useFormat();
  const [tone, state] = expired
    ? (["neutral", "expired"] as const)
    : mail === "waiting"
      ? (["waiting", "queued"] as const)
      : mail === "failed"
        ? (["neutral", "not sent"] as const)
        : mail === "sent"
          ? (["done", "sent"] as const)
          : (["neutral", "link only"] as const);
  const places = campaigns.map((campaign) => `${campaign.role} in ${campaign.name}`);
  return (
    <>
      <p className="wrap-anywhere min-w-0 flex-1 basis-60">
        <span className="font-medium">{name ?? email}</span>{" "}
        <span className="text-muted-foreground text-sm">
          {name && `${email} `}as {[role, ...places].join(", ")}
          {invitedBy && `, by ${invitedBy}`}
          {!expired && `, until ${shortDay(expiresAt)}`}
        </span>
      </p>
      <Badge tone={tone}>{state}</Badge>
    </>
  );
}

function summary(invitations: OpenInvitation[]) {
  const queued = invitations.filter(({ mail, expired }) => mail === "waiting" && !expired).length;
  const failed = invitations.filter(({ mail }) => mail === "failed").length;
  return [
    String(invitations.length),
    queued > 0 && `${queued} ${queued === 1 ? "email" : "emails"} queued`,
    failed > 0 && `${failed} not sent`,
  ]
    .filter(Boolean)
    .join(" · ");
}
