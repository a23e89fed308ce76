"use client";

import { useState } from "react";
import { ErasureNote } from "@/components/campaigns/erasure-note";
import { sharingNote } from "@/components/campaigns/team-campaigns";
import { ChooseDialog } from "@/components/forms/choose-dialog";
import { useFormat } from "@/components/shell/format-provider";
import { useAccessChanges } from "@/components/team-access/access-changes";
import { Button } from "@/components/ui/button";
import { plannedErasure } from "@/lib/campaigns/planned-erasures";
import type { CampaignOfTeam } from "@/lib/ids";
import type { CampaignSettings } from "@/lib/team-access/access-change";

/** Shares a campaign with another team, hands it over to one of its teams, removes one, archives or restores it. */
export function CampaignActions({
  place,
  settings,
  others,
  shareable,
  isErased,
  eraseAfterDays,
  canExport,
}: {
  place: CampaignOfTeam;
  settings: CampaignSettings;
  /** The other teams that work on it. */
  others: { id: string; name: string }[];
  /** Teams that the person manages, and that don't work on it. */
  shareable: { id: string; name: string }[];
  /** Its personal data are erased, so it can't be restored. */
  isErased: boolean;
  /** Days after archiving, when they will be; null for never. */
  eraseAfterDays: number | null;
  canExport: boolean;
}) {
  const { review } = useAccessChanges();
  const format = useFormat();
  const [choosing, setChoosing] = useState<"share" | "hand-over" | "stop-sharing" | null>(null); // a team
  const { name, archived } = settings;
  const erasureText = () => {
    if (eraseAfterDays === null)
      return <p>Signers' personal data is kept. To erase it after a set time, change the team's settings.</p>;
    const now = new Date().toISOString();
    const eraseAt = plannedErasure({ archivedAt: now, eraseAt: null }, eraseAfterDays, now);
    return <ErasureNote place={place} eraseAt={eraseAt} erasedAt={null} canExport={canExport} format={format} />;
  };
  const archive = () =>
    review({
      change: {
        kind: "edit-campaign",
        ...place,
        before: settings,
        after: { ...settings, archived: !archived },
      },
      ...(archived
        ? {
            title: `Restore ${name}?`,
            confirm: "Restore campaign",
            note: <p>Everyone with access can work on it again.</p>,
          }
        : {
            title: `Archive ${name}?`,
            confirm: "Archive campaign",
            danger: true,
            note: (
              <>
                <p>Every team will see it under Archived. You can restore it later.</p>
                {erasureText()}
              </>
            ),
          }),
    });
  return (
    <>
      {shareable.length > 0 && !archived && (
        <Button variant="outline" onClick={() => setChoosing("share")}>
          Share campaign
        </Button>
      )}
      {others.length > 0 && (
        <>
          <Button variant="danger" onClick={() => setChoosing("hand-over")}>
            Hand over campaign
          </Button>
          <Button variant="danger" onClick={() => setChoosing("stop-sharing")}>
            Stop sharing
          </Button>
        </>
      )}
      {!isErased && (
        <Button variant={archived ? "outline" : "danger"} onClick={archive}>
          {archived ? "Restore campaign" : "Archive campaign"}
        </Button>
      )}
      {choosing === "share" && (
        <ChooseDialog
          title={`Share ${name}?`}
          note={sharingNote}
          fields={[{ label: "Share with", options: shareable }]}
          onClose={() => setChoosing(null)}
          onChosen={(team) =>
            review({
              change: { kind: "attach-campaign", team: team.id, campaign: place.campaign },
              title: `Share ${name} with ${team.name}?`,
              confirm: "Share campaign",
              done: `${name} is now shared with ${team.name}.`,
            })
          }
        />
      )}
      {choosing === "hand-over" && (
        <ChooseDialog
          title={`Hand over ${name}?`}
          note="The other team will run it. Your team can still work on it."
          fields={[{ label: "Hand over to", options: others }]}
          onClose={() => setChoosing(null)}
          onChosen={(team) =>
            review({
              change: { kind: "hand-over-campaign", ...place, to: team.id },
              title: `Hand over ${name} to ${team.name}?`,
              confirm: "Hand over campaign",
              danger: true,
              note: `Only ${team.name} can then edit it, archive it, and add it to other teams. Only they can hand it back.`,
            })
          }
        />
      )}
      {choosing === "stop-sharing" && (
        <ChooseDialog
          title={`Stop sharing ${name}?`}
          note="The team you choose loses access."
          fields={[{ label: "Team", options: others }]}
          onClose={() => setChoosing(null)}
          onChosen={(team) =>
            review({
              change: { kind: "stop-sharing", ...place, from: team.id },
              title: `Stop sharing ${name} with ${team.name}?`,
              confirm: "Stop sharing",
              danger: true,
              note: `Signatures entered by ${team.name} still count. Only someone who manages both teams can share it again.`,
            })
          }
        />
      )}
    </>
  );
}
