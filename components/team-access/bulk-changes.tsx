"use client";

import { type ReactNode, useState } from "react";
import { ChooseDialog } from "@/components/forms/choose-dialog";
import { useAccessChanges } from "@/components/team-access/access-changes";
import type { ChangeRequest } from "@/components/team-access/change-review";
import { shortList } from "@/components/team-access/effects-list";
import {
  changeCampaignRole,
  changeRole,
  formatMemberNames,
  reactivateMembers,
  removeMembers,
  suspendMembers,
} from "@/components/team-access/member-changes";
import { Button } from "@/components/ui/button";
import { StickyBar } from "@/components/ui/sticky-bar";
import type { Member } from "@/lib/team-access/members";
import { cn } from "@/lib/utils";

/** The roles and campaigns that members of a team can get. */
export type ManagedTeam = {
  roles: { id: string; name: string; scope: "inherit_team" | "assigned" }[];
  campaigns: { id: string; name: string }[];
};

const maxSelected = 500; // the same as `maxChangesAtOnce`; importing it would load zod
const noRole = { id: "none", name: "No role (removes access)" };

/** The actions on the selected members. */
export function BulkChanges({
  manage: { roles, campaigns },
  selected,
  notShown,
  onClear,
  children,
}: {
  manage: ManagedTeam;
  selected: Member[];
  /** How many of them aren't on the shown page, or don't match the filter. */
  notShown: number;
  onClear: () => void;
  /** Shown next to the number of selected members. */
  children?: ReactNode;
}) {
  const { team, review } = useAccessChanges();
  const [choosing, setChoosing] = useState<"role" | "campaign" | null>(null);
  const active = selected.filter(({ status }) => status === "active");
  const suspended = selected.filter(({ status }) => status === "suspended");
  const inCampaigns = selected.filter(({ isAdministrator }) => !isAdministrator);
  const reviewChange = (request: ChangeRequest) => review({ ...request, onDone: onClear });
  const suspendedNote =
    suspended.length > 0 ? ` Already suspended: ${shortList(suspended.map(({ name }) => name))}.` : "";
  const reviewLoss = (request: ChangeRequest) => reviewChange({ ...request, note: `${request.note}${suspendedNote}` });

  return (
    <StickyBar aria-label="Change the selected members">
      <p role="status" className={cn("whitespace-nowrap font-medium max-md:basis-full", !children && "mr-auto")}>
        {selected.length} selected{notShown > 0 && `, ${notShown} not shown`}
      </p>
      {children}
      {selected.length > maxSelected ? (
        <p className="text-destructive">Select {maxSelected} members or fewer to change them together.</p>
      ) : (
        <>
          <Button variant="outline" onClick={() => setChoosing("role")}>
            Change role
          </Button>
          {campaigns.length > 0 && inCampaigns.length > 0 && (
            <Button variant="outline" onClick={() => setChoosing("campaign")}>
              Change campaign role
            </Button>
          )}
          {active.length > 0 && (
            <Button variant="danger" onClick={() => reviewLoss(suspendMembers(team.id, active))}>
              Suspend
            </Button>
          )}
          {suspended.length > 0 && (
            <Button variant="outline" onClick={() => reviewChange(reactivateMembers(team.id, suspended))}>
              Reactivate
            </Button>
          )}
          <Button variant="danger" onClick={() => reviewLoss(removeMembers(team.id, selected))}>
            Remove from team
          </Button>
        </>
      )}
      <Button variant="ghost" onClick={onClear}>
        Clear selection
      </Button>
      {choosing === "role" && (
        <ChooseDialog
          title={`Change role for ${formatMemberNames(selected)}?`}
          fields={[{ label: "Role", options: roles }]}
          onClose={() => setChoosing(null)}
          onChosen={(role) => reviewChange(changeRole(team.id, selected, role))}
        />
      )}
      {choosing === "campaign" && (
        <ChooseDialog
          title={`Change campaign role for ${formatMemberNames(inCampaigns)}?`}
          note={
            inCampaigns.length < selected.length
              ? "Administrators are skipped: they can open every campaign."
              : undefined
          }
          fields={[
            { label: "Campaign", options: campaigns },
            { label: "Role", options: [...roles.filter(({ scope }) => scope === "assigned"), noRole] },
          ]}
          onClose={() => setChoosing(null)}
          onChosen={(campaign, role) =>
            reviewChange(changeCampaignRole(team.id, inCampaigns, campaign, role === noRole ? null : role))
          }
        />
      )}
    </StickyBar>
  );
}
