"use client";

import { useState } from "react";
import { FormDialog } from "@/components/forms/form-dialog";
import { useFormat } from "@/components/shell/format-provider";
import { useAccessChanges } from "@/components/team-access/access-changes";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import type { FormSubmit } from "@/lib/forms/form-state";
import { permissionLabel } from "@/lib/permissions/permission-keys";
import type { chooseRequestGrant } from "@/lib/team-access/choose-request-grant";
import type { AccessRequest } from "@/lib/team-access/requests";

/** A request with the change that grants it, if one change can. */
export type GrantableRequest = AccessRequest & {
  grant: ReturnType<typeof chooseRequestGrant>;
  /** The person can't use a grant now: `suspended`, or `ended Mar 3`. */
  inactive?: string | null;
};

/** Open requests for access, with buttons that grant or decline them. Nothing if there are none. */
export function RequestsList({ requests, decline }: { requests: GrantableRequest[]; decline: FormSubmit }) {
  const { team, review, announce } = useAccessChanges();
  const { dateTime } = useFormat();
  const [declining, setDeclining] = useState<Pick<AccessRequest, "id" | "name" | "key"> | null>(null);
  if (requests.length === 0) return null;
  return (
    <Section title="Requests for access" className="gap-2">
      <ul className="divide-y rounded-md border">
        {requests.map(({ id, userId, name, campaign, key, page, reason, askedAt, held, grant, inactive }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2">
            <p className="wrap-anywhere min-w-0 flex-1 basis-60">
              <span className="font-medium">{name}</span> requested “{permissionLabel(key)}” in{" "}
              {campaign?.name ?? team.name}
              <span className="block text-muted-foreground text-sm">
                <time dateTime={askedAt}>{dateTime(askedAt)}</time>
                {page && `, on ${page}`}
              </span>
              {reason && <span className="block">“{reason}”</span>}
            </p>
            {held && <Badge tone="done">already granted</Badge>}
            {inactive && <Badge tone="neutral">{inactive}</Badge>}
            <div className="flex flex-wrap gap-2">
              {grant && !held && (
                <Button
                  onClick={() =>
                    review({
                      change: grant.change,
                      title: `Grant ${name} ${grant.grants} in ${campaign?.name ?? team.name}?`,
                      confirm: "Grant",
                      note: `The smallest role or set that adds “${permissionLabel(key)}” and keeps everything ${name} has there now. To give another one, choose “View member”.`,
                    })
                  }
                >
                  Grant<span className="sr-only">{` ${name} ${permissionLabel(key)}`}</span>
                </Button>
              )}
              <ButtonLink
                href={`/${team.id}/members/${userId}?${new URLSearchParams({ why: key, in: campaign?.id ?? "" })}`}
                variant="outline"
              >
                View member<span className="sr-only"> {name}</span>
              </ButtonLink>
              <Button variant="danger" onClick={() => setDeclining({ id, name, key })}>
                Decline<span className="sr-only">{` the request of ${name} for ${permissionLabel(key)}`}</span>
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {declining && (
        <FormDialog
          title={`Decline the request of ${declining.name}?`}
          submit="Decline request"
          variant="danger"
          action={decline}
          hidden={{ team: team.id, id: declining.id }}
          onDone={announce}
          onClose={() => setDeclining(null)}
        >
          {() => (
            <p className="wrap-anywhere">
              {declining.name} won&apos;t get “{permissionLabel(declining.key)}”. They&apos;ll see your answer and can
              ask again.
            </p>
          )}
        </FormDialog>
      )}
    </Section>
  );
}
