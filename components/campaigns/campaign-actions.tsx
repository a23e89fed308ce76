"use client";

import { useState } from "react";
import { CampaignDialog } from "@/components/campaigns/campaign-dialog";
import { ChooseDialog } from "@/components/forms/choose-dialog";
import { useAccessChanges } from "@/components/team-access/access-changes";
import { Button } from "@/components/ui/button";
import type { FormSubmit } from "@/lib/forms/form-state";
import type { CampaignOfTeam } from "@/lib/ids";
import type { CampaignTexts } from "@/lib/team-access/access-change";

/** Edits a campaign, hands it over to another team that works on it, archives it, or brings it back. */
export function CampaignActions({
  place,
  texts,
  profiles,
  others,
  edit,
}: {
  place: CampaignOfTeam;
  texts: CampaignTexts;
  /** Names of the search profiles to choose from, beside the common one. */
  profiles: string[];
  /** The other teams that work on it. */
  others: { id: string; name: string }[];
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
      <Button variant="outline" onClick={() => setOpen("edit")}>
        Edit
      </Button>
      {others.length > 0 && (
        <Button variant="outline" onClick={() => setOpen("hand over")}>
          Hand over
        </Button>
      )}
      <Button variant="outline" onClick={archive}>
        {archived ? "Bring back" : "Archive"}
      </Button>
      {open === "edit" && (
        <CampaignDialog
          teamId={place.team}
          campaign={{ id: place.campaign, texts, profiles }}
          save={edit}
          onClose={close}
        />
      )}
      {open === "hand over" && (
        <ChooseDialog
          title={`Hand over ${name}`}
          note="Another team that works on it runs it then. Your team goes on working on it."
          fields={[{ name: "to", label: "Run by", options: others }]}
          onClose={close}
          onChosen={({ to }) => {
            const team = others.find(({ id }) => id === to);
            if (!team) return;
            review({
              change: { kind: "hand-over-campaign", ...place, to: team.id },
              title: `Have ${team.name} run ${name}?`,
              confirm: "Hand over",
              danger: true,
              note: `From then on people of ${team.name} alone change and archive it and bring it into further teams. Only they can hand it back.`,
            });
          }}
        />
      )}
    </>
  );
}
