"use client";

import { useState } from "react";
import { CampaignDialog } from "@/components/campaigns/campaign-dialog";
import { ChooseDialog } from "@/components/forms/choose-dialog";
import { useAccessChanges } from "@/components/team-access/access-changes";
import { Button } from "@/components/ui/button";
import type { FormSubmit } from "@/lib/forms/form-state";
import type { CampaignOfTeam } from "@/lib/ids";
import type { CampaignTexts } from "@/lib/team-access/access-change";

/** Edits a campaign, hands it over to another of its teams, archives or restores it. */
export function CampaignActions({
  place,
  texts,
  profiles,
  others,
  isErased,
  edit,
}: {
  place: CampaignOfTeam;
  texts: CampaignTexts;
  /** Search profiles to choose from, besides the default. */
  profiles: string[];
  /** The other teams that work on it. */
  others: { id: string; name: string }[];
  /** Its personal data are erased, so it can't be restored. */
  isErased: boolean;
  edit: FormSubmit;
}) {
  const { review } = useAccessChanges();
  const [open, setOpen] = useState<"edit" | "hand over" | null>(null);
  const close = () => setOpen(null);
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
        ? { title: `Restore ${name}?`, confirm: "Restore campaign" }
        : {
            title: `Archive ${name}?`,
            confirm: "Archive campaign",
            danger: true,
            note: "It moves to Archived for every team. Nothing is deleted; you can restore it.",
          }),
    });
  return (
    <>
      <Button variant="outline" onClick={() => setOpen("edit")}>
        Edit
      </Button>
      {others.length > 0 && (
        <Button variant="outline" onClick={() => setOpen("hand over")}>
          Hand over
        </Button>
      )}
      {!isErased && (
        <Button variant={archived ? "outline" : "danger"} onClick={archive}>
          {archived ? "Restore" : "Archive"}
        </Button>
      )}
      {open === "edit" && (
        <CampaignDialog campaign={{ id: place.campaign, texts, profiles }} save={edit} onClose={close} />
      )}
      {open === "hand over" && (
        <ChooseDialog
          title={`Hand over ${name}`}
          note="Another team takes over running it. Your team keeps working on it."
          fields={[{ label: "Run by", options: others }]}
          onClose={close}
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
