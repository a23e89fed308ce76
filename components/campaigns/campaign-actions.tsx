"use client";

import { useState } from "react";
import { ChooseDialog } from "@/components/forms/choose-dialog";
import { useAccessChanges } from "@/components/team-access/access-changes";
import { Button } from "@/components/ui/button";
import type { CampaignOfTeam } from "@/lib/ids";
import type { CampaignSettings } from "@/lib/team-access/access-change";

/** Hands a campaign over to another of its teams, archives or restores it. */
export function CampaignActions({
  place,
  settings,
  others,
  isErased,
}: {
  place: CampaignOfTeam;
  settings: CampaignSettings;
  /** The other teams that work on it. */
  others: { id: string; name: string }[];
  /** Its personal data are erased, so it can't be restored. */
  isErased: boolean;
}) {
  const { review } = useAccessChanges();
  const [isOpen, setOpen] = useState(false);
  const { name, archived } = settings;
  const archive = () =>
    review({
      change: {
        kind: "edit-campaign",
        ...place,
        before: settings,
        after: { ...settings, archived: !archived },
      },
      ...(archived
        ? { title: `Restore ${name}?`, confirm: "Restore campaign" }
        : {
            title: `Archive ${name}?`,
            confirm: "Archive campaign",
            danger: true,
            note: "It moves to Archived for every team, and you can restore it. Its personal data is erased only after the period in the team's settings, if one is set.",
          }),
    });
  return (
    <>
      {others.length > 0 && (
        <Button variant="outline" onClick={() => setOpen(true)}>
          Hand over
        </Button>
      )}
      {!isErased && (
        <Button variant={archived ? "outline" : "danger"} onClick={archive}>
          {archived ? "Restore campaign" : "Archive campaign"}
        </Button>
      )}
      {isOpen && (
        <ChooseDialog
          title={`Hand over ${name}`}
          note="Another team takes over running it. Your team keeps working on it."
          fields={[{ label: "Run by", options: others }]}
          onClose={() => setOpen(false)}
          onChosen={(team) =>
            review({
              change: { kind: "hand-over-campaign", ...place, to: team.id },
              title: `Hand over ${name} to ${team.name}?`,
              confirm: "Hand over campaign",
              danger: true,
              note: `Only ${team.name} can then edit it, archive it and add it to other teams. Only they can hand it back.`,
            })
          }
        />
      )}
    </>
  );
}
