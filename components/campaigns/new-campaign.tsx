"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { CampaignDialog } from "@/components/campaigns/campaign-dialog";
import { Button } from "@/components/ui/button";
import type { FormSubmit } from "@/lib/forms/form-state";

/** Opens the form that creates a campaign in the team. */
export function NewCampaign({ teamId, create }: { teamId: string; create: FormSubmit }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Plus aria-hidden />
        New campaign
      </Button>
      {open && <CampaignDialog teamId={teamId} campaign={null} save={create} onClose={() => setOpen(false)} />}
    </>
  );
}
