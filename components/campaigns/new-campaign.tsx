"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { useAccessChanges } from "@/components/access/access-changes";
import { CampaignDialog } from "@/components/campaigns/campaign-dialog";
import { ChooseDialog } from "@/components/members/choose-dialog";
import { Button } from "@/components/ui/button";
import type { FormState } from "@/lib/forms/form-state";

/** Creates a campaign in the team, or brings in one that the reader manages in another team. */
export function NewCampaign({
  teamId,
  teamName,
  elsewhere,
  create,
}: {
  teamId: string;
  teamName: string;
  /** Campaigns of other teams that may be brought in. */
  elsewhere: { id: string; name: string }[];
  create: (state: FormState, form: FormData) => Promise<FormState>;
}) {
  const { review } = useAccessChanges();
  const [open, setOpen] = useState<"new" | "attach" | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      {elsewhere.length > 0 && (
        <Button variant="outline" onClick={() => setOpen("attach")}>
          Add from another team
        </Button>
      )}
      <Button onClick={() => setOpen("new")}>
        <Plus aria-hidden />
        New campaign
      </Button>
      {open === "new" && <CampaignDialog teamId={teamId} campaign={null} save={create} onClose={close} />}
      {open === "attach" && (
        <ChooseDialog
          title={`Add a campaign to ${teamName}`}
          note="Both teams work on it then. Each sees its own lines; the goal counts them all."
          fields={[{ name: "campaign", label: "Campaign", options: elsewhere }]}
          onClose={close}
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
