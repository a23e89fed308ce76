"use client";

import { useState } from "react";
import { useAccessChanges } from "@/components/team-access/access-changes";
import { setNames } from "@/components/team-access/set-names";
import { SetPicker } from "@/components/team-access/set-picker";
import { Button } from "@/components/ui/button";
import type { TeamRoles } from "@/lib/team-access/read-team-roles";

type Bundle = { campaign: { id: string; name: string; archived: boolean } | null; setIds: string[] };

/** What administrators hold: in the whole team, and beside that in each campaign. */
export function AdministratorBundles({
  teamId,
  teamName,
  roles,
}: {
  teamId: string;
  teamName: string;
  roles: TeamRoles;
}) {
  const { review } = useAccessChanges();
  const [open, setOpen] = useState<Bundle | null>(null);
  const bundles: Bundle[] = [
    { campaign: null, setIds: roles.teamSetIds },
    ...roles.campaigns.map(({ id, name, archivedAt, setIds }) => ({
      campaign: { id, name, archived: archivedAt !== null },
      setIds,
    })),
  ];
  const placeOf = ({ campaign }: Bundle) => campaign?.name ?? `${teamName}, whole team`;
  return (
    <section aria-labelledby="administrators" className="flex flex-col gap-3">
      <div>
        <h2 id="administrators" className="font-semibold">
          Administrators
        </h2>
        <p className="text-muted-foreground">
          They reach all campaigns. What they hold in the whole team counts in each of them; a campaign can add to it.
        </p>
      </div>
      <ul className="divide-y rounded-md border">
        {bundles.map((bundle) => (
          <li key={bundle.campaign?.id ?? ""} className="flex items-center gap-4 px-4 py-2">
            <div className="wrap-anywhere min-w-0 flex-1">
              <p className="font-medium">
                {placeOf(bundle)}
                {bundle.campaign?.archived && (
                  <span className="font-normal text-muted-foreground text-sm"> · archived</span>
                )}
              </p>
              <p className="text-muted-foreground text-sm">
                {bundle.campaign && bundle.setIds.length === 0
                  ? "Nothing beside that"
                  : setNames(bundle.setIds, roles.sets)}
              </p>
            </div>
            <Button variant="outline" onClick={() => setOpen(bundle)}>
              Sets<span className="sr-only"> of administrators in {placeOf(bundle)}</span>
            </Button>
          </li>
        ))}
      </ul>
      {open && (
        <SetPicker
          title={`What administrators hold: ${placeOf(open)}`}
          sets={roles.sets}
          chosen={open.setIds}
          onClose={() => setOpen(null)}
          onChoose={(after) =>
            review({
              change: open.campaign
                ? { kind: "campaign-sets", team: teamId, campaign: open.campaign.id, before: open.setIds, after }
                : { kind: "team-sets", team: teamId, before: open.setIds, after },
              title: `Change what administrators hold in ${open.campaign?.name ?? "the whole team"}?`,
              confirm: "Save",
            })
          }
        />
      )}
    </section>
  );
}
