"use client";

import Link from "next/link";
import { useAccessChanges } from "@/components/team-access/access-changes";
import { Button } from "@/components/ui/button";

type Named = { id: string; name: string };

/** The campaigns of a team with who runs each. Those of other teams can be taken out, after who loses what was seen. */
export function TeamCampaigns({
  team,
  campaigns,
}: {
  team: Named;
  campaigns: (Named & { archived: boolean; runBy: Named })[];
}) {
  const { review } = useAccessChanges();
  const takeOut = ({ id, name, runBy }: Named & { runBy: Named }) =>
    review({
      change: { kind: "detach-campaign", team: team.id, campaign: id },
      title: `Take ${name} out of ${team.name}?`,
      confirm: "Take out",
      danger: true,
      note: (
        <>
          <p>
            {runBy.name} goes on with it. The lines that {team.name} keyed still count, and its lines and charts are
            kept, but nobody of {team.name} reaches them any more.
          </p>
          <p>The roles that people have in it go too. Only somebody who manages both teams can add it again.</p>
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
              prefetch={false}
              className="font-medium underline-offset-4 hover:underline"
            >
              {campaign.name}
            </Link>
            {campaign.archived && <span className="text-muted-foreground text-sm"> · archived</span>}
          </p>
          <p className="text-muted-foreground text-sm">
            {campaign.runBy.id === team.id ? "run by this team" : `run by ${campaign.runBy.name}`}
          </p>
          {campaign.runBy.id !== team.id && (
            <Button variant="danger" onClick={() => takeOut(campaign)}>
              Take out<span className="sr-only"> {campaign.name}</span>
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
