"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useState } from "react";
import { ActionForm } from "@/components/forms/action-form";
import { FormDialog } from "@/components/forms/form-dialog";
import { CopyLink } from "@/components/invitations/copy-link";
import { useFormat } from "@/components/shell/format-provider";
import { useAccessChanges } from "@/components/team-access/access-changes";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import type { FormSubmit } from "@/lib/forms/form-state";
import type { OpenInvitation } from "@/lib/invitations/invitations";

const pollIntervalMs = 10_000; // while emails are queued and the tab is visible

/** Invitations that no one has accepted yet, the state of their emails, and their actions. Nothing if there are none. */
export function OpenInvitationsList({
  invitations,
  showLink,
  resend,
  revoke,
}: {
  invitations: OpenInvitation[];
  showLink: FormSubmit<{ link: string }>;
  resend: FormSubmit;
  revoke: FormSubmit;
}) {
  const { team, announce } = useAccessChanges();
  const [link, setLink] = useState<string | null>(null);
  const [revoking, setRevoking] = useState<OpenInvitation | null>(null);
  const router = useRouter();
  const isQueued = invitations.some(({ mail, expired }) => mail === "waiting" && !expired);
  useEffect(() => {
    if (!isQueued) return;
    const timer = setInterval(() => document.visibilityState === "visible" && router.refresh(), pollIntervalMs);
    return () => clearInterval(timer);
  }, [isQueued, router]);

  const formOf = ({ id, email }: OpenInvitation, label: string) => ({
    hidden: { team: team.id, id },
    submit: [<Named key={label} label={label} email={email} />, "One moment…"] as [ReactNode, string],
    variant: "outline" as const,
    className: "w-auto",
    onDone: ({ message }: { message: string | null }) => announce(message ?? ""),
  });
  return (
    <>
      {invitations.length > 0 && (
        <section aria-label="Open invitations" className="flex flex-col gap-2">
          <h2 className="font-semibold">
            Open invitations <span className="font-normal text-muted-foreground">{summary(invitations)}</span>
          </h2>
          <ul className="max-h-96 divide-y overflow-y-auto rounded-md border">
            {invitations.map((invitation) => {
              const { id, mail, expired } = invitation;
              const again = expired ? "Invite again" : mail === null ? "Send email" : "Send again";
              return (
                <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-1.5">
                  <About {...invitation} />
                  <div className="flex flex-wrap gap-2">
                    {!expired && (
                      <ActionForm
                        {...formOf(invitation, "Copy link")}
                        action={showLink}
                        onDone={({ data }) => setLink(data?.link ?? null)}
                      />
                    )}
                    {(mail !== "waiting" || expired) && <ActionForm {...formOf(invitation, again)} action={resend} />}
                    <ActionForm
                      {...formOf(invitation, "Revoke")}
                      action={revoke}
                      variant="danger"
                      holdBack={() => {
                        setRevoking(invitation);
                        return true;
                      }}
                    />
                  </div>
                </li>
              );
            })}
          </ul>
        </section>
      )}
      {revoking && (
        <FormDialog
          title={`Revoke the invitation of ${revoking.email}?`}
          submit="Revoke invitation"
          variant="danger"
          action={revoke}
          hidden={{ team: team.id, id: revoking.id }}
          onDone={announce}
          onClose={() => setRevoking(null)}
        >
          {() => <p>Its link stops working. You can invite this address again.</p>}
        </FormDialog>
      )}
      {link !== null && (
        <Dialog title="Invitation link" onClose={() => setLink(null)}>
          <DialogBody>
            <CopyLink link={link} />
            <p className="text-muted-foreground text-sm">It works once, and only for the invited address.</p>
          </DialogBody>
          <DialogFooter>
            <Button onClick={() => setLink(null)}>Done</Button>
          </DialogFooter>
        </Dialog>
      )}
    </>
  );
}

function Named({ label, email }: { label: string; email: string }) {
  return (
    <>
      {label}
      <span className="sr-only"> invitation of {email}</span>
    </>
  );
}

const mailStates = {
  none: ["neutral", "link only"],
  waiting: ["waiting", "queued"],
  failed: ["neutral", "not sent"],
  sent: ["done", "sent"],
} as const;

function About({ email, name, role, campaigns, invitedBy, expiresAt, expired, mail }: OpenInvitation) {
  const { shortDay } = useFormat();
  const [tone, state] = expired ? (["neutral", "expired"] as const) : mailStates[mail ?? "none"];
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
