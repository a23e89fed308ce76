"use client";

import { type ReactNode, useState } from "react";
import { ChooseDialog } from "@/components/forms/choose-dialog";
import { useAccessChanges } from "@/components/team-access/access-changes";
import { type ChosenCampaignRole, campaignRoleChange } from "@/components/team-access/campaign-role-change";
import type { AskedChange } from "@/components/team-access/change-review";
import { whom } from "@/components/team-access/member-text";
import { changeRole, makeActive, remove, suspend } from "@/components/team-access/membership-change";
import { Button } from "@/components/ui/button";
import type { Member } from "@/lib/team-access/members";
import { cn } from "@/lib/utils";

/** What a team has to give: roles that may be chosen, and its campaigns. */
export type ManagedTeam = {
  roles: { id: string; name: string; scope: "inherit_team" | "assigned" }[];
  campaigns: { id: string; name: string }[];
};

// As `mostChangesAtOnce`, which comes with a schema library.
const most = 500;

/** What can be done with the selected members, at the lower edge while one scrolls. */
export function BulkChanges({
  teamId,
  manage,
  selected,
  onClear,
  children,
}: {
  teamId: string;
  manage: ManagedTeam;
  selected: Member[];
  onClear: () => void;
  /** Beside how many are selected. */
  children?: ReactNode;
}) {
  const { review } = useAccessChanges();
  const [choosing, setChoosing] = useState<"role" | "campaign" | null>(null);
  const active = selected.filter(({ status }) => status === "active");
  const suspended = selected.filter(({ status }) => status === "suspended");
  const inCampaigns = selected.filter(({ isAdministrator }) => !isAdministrator);
  const ask = (asked: AskedChange) => review({ ...asked, onDone: onClear });

  return (
    <section
      aria-label="Change the selected members"
      className="sticky bottom-0 z-5 -mx-4 flex flex-wrap items-center gap-2 border-t bg-background px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:mx-0 md:rounded-md md:border md:px-3"
    >
      <p role="status" className={cn("whitespace-nowrap font-medium max-md:basis-full", !children && "mr-auto")}>
        {selected.length} selected
      </p>
      {children}
      {selected.length > most ? (
        <p className="text-destructive">At most {most} members can be changed at once.</p>
      ) : (
        <>
          <Button variant="outline" onClick={() => setChoosing("role")}>
            Change role
          </Button>
          {manage.campaigns.length > 0 && inCampaigns.length > 0 && (
            <Button variant="outline" onClick={() => setChoosing("campaign")}>
              Campaign role
            </Button>
          )}
          {active.length > 0 && (
            <Button variant="outline" onClick={() => ask(suspend(teamId, active))}>
              Suspend
            </Button>
          )}
          {suspended.length > 0 && (
            <Button variant="outline" onClick={() => ask(makeActive(teamId, suspended))}>
              Make active
            </Button>
          )}
          <Button variant="danger" onClick={() => ask(remove(teamId, selected))}>
            Remove
          </Button>
        </>
      )}
      <Button variant="ghost" onClick={onClear}>
        Select none
      </Button>
      {choosing === "role" && (
        <ChooseDialog
          title={`Change the role of ${whom(selected)}`}
          fields={[{ name: "role", label: "Role in the team", options: manage.roles }]}
          onClose={() => setChoosing(null)}
          onChosen={({ role }) => {
            const chosen = manage.roles.find(({ id }) => id === role);
            if (chosen) ask(changeRole(teamId, selected, chosen));
          }}
        />
      )}
      {choosing === "campaign" && (
        <ChooseDialog
          title={`Change what ${whom(inCampaigns)} can do in a campaign`}
          note={
            inCampaigns.length < selected.length ? "Administrators reach all campaigns, and are left out." : undefined
          }
          fields={[
            { name: "campaign", label: "Campaign", options: manage.campaigns },
            { name: "role", label: "Role there", options: [...manage.roles.filter(isAssigned), takeOut] },
          ]}
          onClose={() => setChoosing(null)}
          onChosen={({ campaign, role }) => {
            const chosen = chosenRole(manage, { campaign, role });
            if (chosen) ask(campaignRoleChange(teamId, inCampaigns, chosen));
          }}
        />
      )}
    </section>
  );
}

const takeOut = { id: "none", name: "None: take out of the campaign" };
const isAssigned = ({ scope }: { scope: string }) => scope === "assigned";

function chosenRole(
  { campaigns, roles }: ManagedTeam,
  { campaign: campaignId, role: roleId }: { campaign: string | undefined; role: string | undefined },
): ChosenCampaignRole | null {
  const campaign = campaigns.find(({ id }) => id === campaignId);
  const role = roles.find(({ id }) => id === roleId) ?? null;
  return campaign && (role || roleId === takeOut.id) ? { campaign, role } : null;
}
