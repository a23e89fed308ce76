"use client";

import { Fragment, useState } from "react";
import { useAccessChanges } from "@/components/team-access/access-changes";
import { SetPicker, setNames } from "@/components/team-access/set-picker";
import { Button } from "@/components/ui/button";
import { TextLink } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import type { Member } from "@/lib/team-access/members";
import type { TeamRoles } from "@/lib/team-access/read-team-roles";

type Place = { campaignId: string | null; name: string; archived: boolean; setIds: string[] };

/** The administrators of a team, and their permission sets: team-wide, and more per campaign. */
export function Administrators({
  roles,
  members,
}: {
  roles: TeamRoles;
  /** The administrators; empty if the reader may not see members. */
  members: Pick<Member, "userId" | "name" | "status">[];
}) {
  const { team, review } = useAccessChanges();
  const [open, setOpen] = useState<Place | null>(null);
  const places: Place[] = [
    { campaignId: null, name: `${team.name}, team-wide`, archived: false, setIds: roles.teamSetIds },
    ...roles.campaigns.map(({ id, name, archivedAt, setIds }) => ({
      campaignId: id,
      name,
      archived: archivedAt !== null,
      setIds,
    })),
  ];
  return (
    <Section
      title="Administrators"
      note="Administrators can open every campaign. Team-wide permission sets apply everywhere; you can add more per campaign."
    >
      {members.length > 0 && (
        <p className="wrap-anywhere">
          {members.length === 1 ? "Administrator" : "Administrators"}:{" "}
          {members.map(({ userId, name, status }, place) => (
            <Fragment key={userId}>
              {place > 0 && ", "}
              <TextLink href={`/${team.id}/members/${userId}`}>{name}</TextLink>
              {status !== "active" && ` (${status})`}
            </Fragment>
          ))}
        </p>
      )}
      <ul className="divide-y rounded-md border">
        {places.map((place) => (
          <li key={place.campaignId ?? ""} className="flex items-center gap-4 px-4 py-2">
            <div className="wrap-anywhere min-w-0 flex-1">
              <p className="font-medium">
                {place.name}
                {place.archived && <span className="font-normal text-muted-foreground text-sm"> · archived</span>}
              </p>
              <p className="text-muted-foreground text-sm">
                {place.campaignId && place.setIds.length === 0
                  ? "No extra permission sets"
                  : setNames(place.setIds, roles.sets)}
              </p>
            </div>
            <Button variant="outline" className="print:hidden" onClick={() => setOpen(place)}>
              Edit permission sets<span className="sr-only"> for administrators: {place.name}</span>
            </Button>
          </li>
        ))}
      </ul>
      {open && (
        <SetPicker
          title={`Permission sets for administrators: ${open.name}`}
          sets={roles.sets}
          chosen={open.setIds}
          otherSetIds={open.campaignId ? roles.teamSetIds : []}
          onClose={() => setOpen(null)}
          onChoose={(after) => {
            const change = { team: team.id, before: open.setIds, after };
            review({
              change: open.campaignId
                ? { kind: "campaign-sets", campaign: open.campaignId, ...change }
                : { kind: "team-sets", ...change },
              title: `Change administrators' permission sets for ${open.name}?`,
              confirm: "Change permission sets",
            });
          }}
        />
      )}
    </Section>
  );
}
