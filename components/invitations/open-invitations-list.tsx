"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useState } from "react";
import { ActionForm } from "@/components/forms/action-form";
import { FormDialog } from "@/components/forms/form-dialog";
import type { Option } from "@/components/forms/select-field";
import { CopyLink } from "@/components/invitations/copy-link";
import { EditInvitations } from "@/components/invitations/edit-invitations";
import { useFormat } from "@/components/shell/format-provider";
import { copyText } from "@/components/shell/use-copy";
import { useAccessChanges } from "@/components/team-access/access-changes";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import { Input } from "@/components/ui/input";
import { StickyBar } from "@/components/ui/sticky-bar";
import { matchesWords } from "@/lib/format/text";
import type { FormSubmit } from "@/lib/forms/form-state";
import type { OpenInvitation } from "@/lib/invitations/invitations";

const pollIntervalMs = 10_000; // while emails are queued and the tab is visible
const maxSelected = 500; // as the actions accept
const minSearched = 10; // fewer are found by eye

/** Invitations that no one has accepted yet, the state of their emails, and their actions. Nothing if there are none. */
export function OpenInvitationsList({
  invitations,
  roles,
  campaigns,
  defaultCampaignRoleId,
  showLinks,
  ...actions
}: {
  invitations: OpenInvitation[];
  roles: (Option & { scope: "assigned" | "inherit_team" })[];
  campaigns: Option[];
  defaultCampaignRoleId: string | undefined;
  showLinks: FormSubmit<{ links: string[] }>;
  resend: FormSubmit;
  edit: FormSubmit;
  revoke: FormSubmit;
}) {
  const { team, announce } = useAccessChanges();
  const [uncopied, setUncopied] = useState<string | null>(null);
  const [asking, setAsking] = useState<{ to: "edit" | "revoke"; of: OpenInvitation[] } | null>(null);
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  const selected = invitations.filter(({ id }) => selectedIds.has(id));
  const [query, setQuery] = useState("");
  const shown = invitations.filter(({ name, email }) => matchesWords(`${name ?? ""} ${email}`, query));
  const router = useRouter();
  const isQueued = invitations.some(({ mail, expired }) => mail === "waiting" && !expired);
  useEffect(() => {
    if (!isQueued) return;
    const timer = setInterval(() => document.visibilityState === "visible" && router.refresh(), pollIntervalMs);
    return () => clearInterval(timer);
  }, [isQueued, router]);

  const select = (ids: string[], on: boolean) =>
    setSelectedIds((before) => new Set(on ? [...before, ...ids] : [...before].filter((id) => !ids.includes(id))));
  const clearSelection = (targets: OpenInvitation[] = []) => {
    document.getElementById(targets[0]?.id ?? "")?.focus(); // the button that was pressed goes
    setSelectedIds(new Set());
  };
  const done = (message: string | null, targets?: OpenInvitation[]) => {
    announce(message ?? "");
    clearSelection(targets);
  };
  const formOf = (targets: OpenInvitation[], label: string) => ({
    submit: [<Named key={label} label={label} email={targets[1] ? "" : targets[0]?.email} />, "One moment…"] as [
      ReactNode,
      string,
    ],
    variant: "outline" as const,
    className: "w-auto",
    hidden: { team: team.id, ids: idsOf(targets) },
  });
  const resendForm = (targets: OpenInvitation[], label: string) => ({
    ...formOf(targets, label),
    action: actions.resend,
    onDone: ({ message }: { message: string | null }) => done(message, targets),
  });
  const linksForm = (targets: OpenInvitation[]) => ({
    ...formOf(targets, targets.length === 1 ? "Copy link" : "Copy links"),
    action: showLinks,
    onDone: async ({ data }: { data?: { links: string[] } }) => {
      const links = data?.links ?? [];
      // One alone goes into a message, several into a spreadsheet.
      const text = links.map((link, index) => (links[1] ? `${targets[index]?.email}\t${link}` : link)).join("\n");
      if (!(await copyText(text))) return setUncopied(text);
      announce(links[1] ? `${links.length} links and emails copied.` : `Link copied for ${targets[0]?.email}.`);
    },
  });
  const allIds = shown.slice(0, maxSelected).map(({ id }) => id);
  const isAll = allIds.every((id) => selectedIds.has(id));
  return (
    <>
      {invitations.length > 0 && (
        <section aria-label="Open invitations" className="flex flex-col gap-2">
          <div className="flex flex-wrap items-center gap-x-4">
            <h2 className="mr-auto font-semibold">
              Open invitations <span className="font-normal text-muted-foreground">{summary(invitations)}</span>
            </h2>
            {(invitations.length > minSearched || query !== "") && (
              <Input
                aria-label="Find an open invitation"
                placeholder="Name or email"
                className="w-56 max-sm:w-full print:hidden"
                value={query}
                onChange={({ target }) => setQuery(target.value)}
              />
            )}
            {shown.length > 1 && (
              <label className="flex cursor-pointer items-center gap-2 text-sm pointer-coarse:min-h-11 print:hidden">
                <Checkbox checked={isAll} onChange={() => select(allIds, !isAll)} />
                Select {shown.length > maxSelected ? `the first ${maxSelected}` : "all"}
              </label>
            )}
          </div>
          <ul className="relative divide-y rounded-md border md:max-h-96 md:overflow-y-auto print:max-h-none">
            {shown.length === 0 && <li className="px-4 py-3 text-muted-foreground">No invitations match.</li>}
            {shown.map((invitation) => {
              const { id, email, mail, expired, stopped } = invitation;
              const again = expired || stopped ? "Invite again" : mail === null ? "Send email" : "Send again";
              return (
                <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-1.5">
                  <label className="flex cursor-pointer items-center pointer-coarse:min-h-11 print:hidden">
                    <Checkbox
                      aria-label={`Select ${email}`}
                      id={id}
                      checked={selectedIds.has(id)}
                      onChange={() => select([id], !selectedIds.has(id))}
                    />
                  </label>
                  <About {...invitation} />
                  <div className="flex flex-wrap gap-2 print:hidden">
                    {isValid(invitation) && <ActionForm {...linksForm([invitation])} />}
                    {(mail !== "waiting" || expired || stopped) && <ActionForm {...resendForm([invitation], again)} />}
                    <Button variant="outline" onClick={() => setAsking({ to: "edit", of: [invitation] })}>
                      <Named label="Edit" email={email} />
                    </Button>
                    <Button variant="danger" onClick={() => setAsking({ to: "revoke", of: [invitation] })}>
                      <Named label="Revoke" email={email} />
                    </Button>
                  </div>
                </li>
              );
            })}
          </ul>
          {selected.length > 0 && (
            <StickyBar aria-label="Change the selected invitations">
              <p role="status" className="mr-auto whitespace-nowrap font-medium max-md:basis-full">
                {selected.length} selected
              </p>
              {selected.some(isValid) && <ActionForm {...linksForm(selected.filter(isValid))} />}
              <ActionForm {...resendForm(selected, "Send emails")} />
              <Button variant="outline" onClick={() => setAsking({ to: "edit", of: selected })}>
                Edit
              </Button>
              <Button variant="danger" onClick={() => setAsking({ to: "revoke", of: selected })}>
                Revoke
              </Button>
              <Button variant="ghost" onClick={() => clearSelection(selected)}>
                Clear selection
              </Button>
            </StickyBar>
          )}
        </section>
      )}
      {asking?.to === "edit" && (
        <EditInvitations
          roles={roles}
          campaigns={campaigns}
          defaultCampaignRoleId={defaultCampaignRoleId}
          invitations={asking.of}
          hidden={{ team: team.id, ids: idsOf(asking.of) }}
          edit={actions.edit}
          onDone={(message) => done(message)}
          onClose={() => setAsking(null)}
        />
      )}
      {asking?.to === "revoke" && (
        <FormDialog
          title={
            asking.of.length === 1
              ? `Revoke the invitation for ${asking.of[0]?.email}?`
              : `Revoke ${asking.of.length} invitations?`
          }
          submit={asking.of.length === 1 ? "Revoke invitation" : `Revoke ${asking.of.length} invitations`}
          variant="danger"
          action={actions.revoke}
          hidden={{ team: team.id, ids: idsOf(asking.of) }}
          onDone={(message) => done(message)}
          onClose={() => setAsking(null)}
        >
          {() =>
            asking.of.length === 1 ? (
              <p>Its link stops working. You can invite this email again.</p>
            ) : (
              <p>Their links stop working. You can invite these addresses again.</p>
            )
          }
        </FormDialog>
      )}
      {uncopied !== null && (
        <Dialog title={uncopied.includes("\n") ? "Copy the links" : "Copy the link"} onClose={() => setUncopied(null)}>
          <DialogBody>
            <CopyLink link={uncopied} />
            <p className="text-muted-foreground text-sm">
              A link works once, and only for the address it was made for.
            </p>
          </DialogBody>
          <DialogFooter>
            <Button onClick={() => setUncopied(null)}>Done</Button>
          </DialogFooter>
        </Dialog>
      )}
    </>
  );
}

const isValid = ({ expired, stopped }: OpenInvitation) => !expired && !stopped;
const idsOf = (invitations: OpenInvitation[]) => JSON.stringify(invitations.map(({ id }) => id));

function Named({ label, email }: { label: string; email: string | undefined }) {
  return (
    <>
      {label}
      {email && <span className="sr-only"> invitation for {email}</span>}
    </>
  );
}

const mailStates = {
  none: ["neutral", "link only"],
  waiting: ["warning", "sending"],
  failed: ["neutral", "not sent"],
  sent: ["success", "sent"],
} as const;

function About({ email, name, role, campaigns, invitedBy, expiresAt, expired, stopped, mail }: OpenInvitation) {
  const { shortDay } = useFormat();
  const [tone, state] = expired
    ? (["neutral", "expired"] as const)
    : stopped
      ? (["warning", "not valid"] as const)
      : mailStates[mail ?? "none"];
  const places = campaigns.map((campaign) => `${campaign.role} in ${campaign.name}`);
  return (
    <>
      <p className="wrap-anywhere min-w-0 flex-1 basis-60">
        <span className="font-medium">{name ?? email}</span>{" "}
        {name && <span className="text-muted-foreground text-sm">{email}</span>}
        <span className="block text-sm">{[role, ...places].join(", ")}</span>
        <span className="block text-muted-foreground text-sm">
          {invitedBy && `Invited by ${invitedBy}`}
          {stopped && invitedBy && ", who can no longer grant this"}
          {!stopped && !expired && `${invitedBy ? ", expires" : "Expires"} ${shortDay(expiresAt)}`}
        </span>
      </p>
      <Badge tone={tone}>{state}</Badge>
    </>
  );
}

function summary(invitations: OpenInvitation[]) {
  const queued = invitations.filter(({ mail, expired }) => mail === "waiting" && !expired).length;
  const failed = invitations.filter(({ mail }) => mail === "failed").length;
  const stopped = invitations.filter(({ stopped }) => stopped).length;
  return [
    String(invitations.length),
    queued > 0 && `${queued} ${queued === 1 ? "email" : "emails"} being sent`,
    failed > 0 && `${failed} not sent`,
    stopped > 0 && `${stopped} not valid`,
  ]
    .filter(Boolean)
    .join(" · ");
}
