"use client";

import { useState } from "react";
import { CampaignDialog } from "@/components/campaigns/campaign-dialog";
import { useAccessChanges } from "@/components/team-access/access-changes";
import { Button } from "@/components/ui/button";
import type { FormSubmit } from "@/lib/forms/form-state";
import type { CampaignOfTeam } from "@/lib/ids";
import type { CampaignTexts } from "@/lib/team-access/access-change";

/** Edits a campaign, archives it, or brings it back. */
export function CampaignActions({
  place,
  texts,
  edit,
}: {
  place: CampaignOfTeam;
  texts: CampaignTexts;
  edit: FormSubmit;
}) {
  const { review } = useAccessChanges();
  const [editing, setEditing] = useState(false);
  const { name, archived } = texts;
  const archive = () =>
    review({
      change: {
        kind: "edit-campaign",
        ...place,
        before: texts,
        after: { ...texts, archived: !archived },
      },
      ...(archived
        ? { title: `Bring ${name} back?`, confirm: "Bring back" }
        : {
            title: `Archive ${name}?`,
            confirm: "Archive",
            danger: true,
            note: "It stands under Archived, in each of its teams. Nothing of it is deleted, and it can be brought back.",
          }),
    });
  return (
    <>
      <Button variant="outline" onClick={() => setEditing(true)}>
        Edit
      </Button>
      <Button variant="outline" onClick={archive}>
        {archived ? "Bring back" : "Archive"}
      </Button>
      {editing && (
        <CampaignDialog
          teamId={place.team}
          campaign={{ id: place.campaign, texts }}
          save={edit}
          onClose={() => setEditing(false)}
        />
      )}
    </>
  );
}
