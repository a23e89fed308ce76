"use client";

import { useState } from "react";
import { FormDialog } from "@/components/forms/form-dialog";
import { InputField } from "@/components/forms/input-field";
import { OptionSelect } from "@/components/forms/select-field";
import { useFormat } from "@/components/shell/format-provider";
import { pageLabel } from "@/components/shell/navigation/entries";
import { useAccessChanges } from "@/components/team-access/access-changes";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import type { FormSubmit } from "@/lib/forms/form-state";
import { permissionLabel } from "@/lib/permissions/permission-keys";
import type { GrantableRequest } from "@/lib/team-access/grantable-request";
import type { AccessRequest } from "@/lib/team-access/requests";

type Props = { requests: GrantableRequest[]; decline: FormSubmit; canEditRoles: boolean };

/** Open access requests, with buttons that grant or decline them. Nothing if there are none. */
export function RequestsList({ requests, decline, canEditRoles }: Props) {
  const { team, announce } = useAccessChanges();
  const { dateTime } = useFormat();
  const [declining, setDeclining] = useState<AccessRequest | null>(null);
  if (requests.length === 0) return null;
  return (
    <Section title="Access requests" className="gap-2">
      <ul className="divide-y rounded-md border">
        {requests.map((request) => {
          const { id, userId, name, campaign, key, page, reason, askedAt, granted, whyNot } = request;
          return (
            <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2">
              <p className="wrap-anywhere min-w-0 flex-1 basis-60">
                <span className="font-medium">{name}</span>{" "}
                {key === "campaign.view" ? "asked for access to" : `requested “${permissionLabel(key)}” in`}{" "}
                {campaign?.name ?? team.name}
                <span className="block text-muted-foreground text-sm">
                  <time dateTime={askedAt}>{dateTime(askedAt)}</time>
                  {page && key !== "campaign.view" && `, from the ${pageLabel(page)} page`}
                </span>
                {reason && <span className="block">“{reason}”</span>}
                {whyNot && !granted && <span className="block text-muted-foreground text-sm">{whyNot}</span>}
              </p>
              {granted && <Badge tone="success">already has it</Badge>}
              {request.inactiveText && <Badge tone="neutral">{request.inactiveText}</Badge>}
              <div className="flex flex-wrap gap-2 print:hidden">
                {!granted && <GrantButton request={request} />}
                {!granted && request.isRoleMissing && canEditRoles && (
                  <ButtonLink href={`/${team.id}/roles`}>
                    Go to Roles<span className="sr-only">{` to grant ${name} ${permissionLabel(key)}`}</span>
                  </ButtonLink>
                )}
                <ButtonLink
                  href={`/${team.id}/members/${userId}?${new URLSearchParams({ why: key, in: campaign?.id ?? "" })}`}
                  variant="outline"
                >
                  View member<span className="sr-only"> {name}</span>
                </ButtonLink>
                <Button variant="danger" onClick={() => setDeclining(request)}>
                  Decline<span className="sr-only">{` ${name}'s request: ${permissionLabel(key)}`}</span>
                </Button>
              </div>
            </li>
          );
        })}
      </ul>
      {declining && (
        <FormDialog
          title={`Decline ${declining.name}'s request?`}
          submit="Decline request"
          variant="danger"
          action={decline}
          hidden={{ team: team.id, id: declining.id }}
          onDone={announce}
          onClose={() => setDeclining(null)}
        >
          {(state) => (
            <>
              <p className="wrap-anywhere">
                {declining.granted
                  ? `${declining.name} already has the permission “${permissionLabel(declining.key)}” and keeps it.`
                  : `${declining.name} won't get the permission “${permissionLabel(declining.key)}.” They can ask again.`}
              </p>
              <InputField
                state={state}
                name="answer"
                label="Reason (optional)"
                hint="They'll see it."
                maxLength={300}
              />
            </>
          )}
        </FormDialog>
      )}
    </Section>
  );
}

/** Grants a request by one of the changes that can, after its preview. */
function GrantButton({ request: { name, key, grants } }: { request: GrantableRequest }) {
  const { review } = useAccessChanges();
  const [chosen, setChosen] = useState(0);
  const grant = grants[chosen] ?? grants[0];
  if (!grant) return null;
  return (
    <>
      {grants.length > 1 && (
        <OptionSelect
          aria-label={`Grant ${name}`}
          className="w-auto max-w-full"
          value={String(grants.indexOf(grant))}
          options={grants.map(({ grants: what }, index) => ({
            id: String(index),
            name: what.replace(/^the | permission set(?= in )/g, ""),
          }))}
          onPick={(index) => setChosen(Number(index))}
        />
      )}
      <Button
        onClick={() =>
          review({
            change: grant.change,
            title: `Grant ${name} ${grant.grants}?`,
            confirm: "Grant access",
            note: grant.note,
            endsOn: grant.endsOn,
            done: `${name} now has ${grant.grants}.`,
          })
        }
      >
        Grant<span className="sr-only">{` ${name} ${permissionLabel(key)}`}</span>
      </Button>
    </>
  );
}
