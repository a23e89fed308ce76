"use client";

import { useState } from "react";
import { ChooseDialog } from "@/components/forms/choose-dialog";
import { useAccessChanges } from "@/components/team-access/access-changes";
import { Button } from "@/components/ui/button";

/** Brings a campaign into the team that the reader manages in another one. */
export function AttachCampaign({
  teamId,
  teamName,
  elsewhere,
}: {
  teamId: string;
  teamName: string;
  /** Campaigns of other teams that may be brought in. */
  elsewhere: { id: string; name: string }[];
}) {
  const { review } = useAccessChanges();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="outline" className="self-start" onClick={() => setOpen(true)}>
        Add from another team
      </Button>
      {open && (
        <ChooseDialog
          title={`Add a campaign to ${teamName}`}
          note="Both teams work on it then. Each sees its own lines; the goal counts them all."
          fields={[{ name: "campaign", label: "Campaign", options: elsewhere }]}
          onClose={() => setOpen(false)}
          onChosen={({ campaign: chosen }) => {
            const campaign = elsewhere.find(({ id }) => id === chosen);
            if (!campaign) return;
            review({
              change: { kind: "attach-campaign", team: teamId, campaign: campaign.id },
              title: `Add ${campaign.name} to ${teamName}?`,
              confirm: "Add campaign",
            });
          }}
        />
      )}
    </>
  );
}
