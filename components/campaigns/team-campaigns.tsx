"use client";

import { useState } from "react";
import { ChooseDialog } from "@/components/forms/choose-dialog";
import { useAccessChanges } from "@/components/team-access/access-changes";
import { Button } from "@/components/ui/button";
import { Link, TextLink } from "@/components/ui/link";

type Named = { id: string; name: string };

type TeamCampaign = Named & {
  archived: boolean;
  runBy: Named;
  /** The other teams of a campaign that this one runs. */
  sharedWith: string[];
};

/**
 * The campaigns of a team with who runs each, and who else works on it. Those of other teams can be removed, after a preview of
 * who loses access.
 */
export function TeamCampaigns({ campaigns }: { campaigns: TeamCampaign[] }) {
  const { team, review } = useAccessChanges();
  const remove = ({ id, name, runBy }: Named & { runBy: Named }) =>
    review({
      change: { kind: "detach-campaign", team: team.id, campaign: id },
      title: `Remove ${name} from ${team.name}?`,
      confirm: "Remove campaign",
      danger: true,
      note: (
        <>
          <p>
            {runBy.name} keeps running it, and signatures entered by {team.name} still count.
          </p>
          <p>Only someone who manages both teams can add it again.</p>
        </>
      ),
    });
  return (
    <ul className="divide-y rounded-md border">
      {campaigns.map((campaign) => (
        <li key={campaign.id} className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-1.5">
          <p className="wrap-anywhere min-w-0 flex-1 basis-48">
            <Link
              href={`/${team.id}/campaign/${campaign.id}`}
              className="font-medium underline-offset-4 hover:underline"
            >
              {campaign.name}
            </Link>
            {campaign.archived && <span className="text-muted-foreground text-sm"> · archived</span>}
          </p>
          <p className="text-muted-foreground text-sm">
            {campaign.runBy.id === team.id ? "run by this team" : `run by ${campaign.runBy.name}`}
          </p>
          {campaign.sharedWith.map((name) => (
            <p key={name} className="wrap-anywhere basis-full text-muted-foreground text-sm">
              Shared with {name}.{" "}
              <TextLink href={`/${team.id}/campaign/${campaign.id}/settings`}>
                Campaign settings<span className="sr-only">{` of ${campaign.name}`}</span>
              </TextLink>
            </p>
          ))}
          {campaign.runBy.id !== team.id && (
            <Button variant="danger" onClick={() => remove(campaign)}>
              Remove<span className="sr-only"> {campaign.name}</span>
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** What sharing a campaign means. */
export const sharingNote =
  "Both teams then work on it. Each sees only its own lines; the valid signatures of both count toward the goal.";

/** How a campaign is shared with a team that the person doesn't manage. */
export function SharingSteps() {
  return (
    <div className="text-muted-foreground">
      <p>To share a campaign with a team you don&apos;t manage:</p>
      <ol className="list-decimal pl-5">
        <li>Invite one of its administrators to your team, with a role that can manage members.</li>
        <li>Ask them to add the campaign on their Campaigns page.</li>
        <li>You can then remove them from your team; the campaign stays shared.</li>
      </ol>
    </div>
  );
}

/** Adds a campaign of another team that the person manages. */
export function AttachCampaign({
  attachableCampaigns,
}: {
  /** Campaigns of other teams that can be added. */
  attachableCampaigns: { id: string; name: string }[];
}) {
  const { team, review } = useAccessChanges();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="outline" className="self-start" onClick={() => setOpen(true)}>
        Add a campaign from another team
      </Button>
      {open && (
        <ChooseDialog
          title={`Add a campaign to ${team.name}`}
          note={sharingNote}
          fields={[{ label: "Campaign", options: attachableCampaigns }]}
          onClose={() => setOpen(false)}
          onChosen={(campaign) =>
            review({
              change: { kind: "attach-campaign", team: team.id, campaign: campaign.id },
              title: `Add ${campaign.name} to ${team.name}?`,
              confirm: "Add campaign",
            })
          }
        />
      )}
    </>
  );
}

/** Ends the person's own membership, after a preview of what they lose. */
export function LeaveTeam() {
  const { team, review } = useAccessChanges();
  return (
    <Button
      variant="danger"
      className="self-start"
      onClick={() =>
        review({
          change: { kind: "leave-team", team: team.id },
          title: `Leave ${team.name}?`,
          confirm: "Leave team",
          danger: true,
          note: "Signatures you entered are kept. You'll need a new invitation to return.",
          // A full page load, so that no data of the team stays in memory.
          onDone: (saved) => saved && window.location.assign("/?left"),
        })
      }
    >
      Leave team
    </Button>
  );
}
