"use client";

import Link from "next/link";
import { useState } from "react";
import { useAccessChanges } from "@/components/team-access/access-changes";
import { NewRoleDialog, RenameRoleDialog } from "@/components/team-access/role-dialogs";
import { setNames } from "@/components/team-access/set-names";
import { SetPicker } from "@/components/team-access/set-picker";
import { Button } from "@/components/ui/button";
import type { FormSubmit } from "@/lib/forms/form-state";
import { permissionLabels } from "@/lib/permissions/permission-keys";
import type { TeamRoles } from "@/lib/team-access/read-team-roles";

type Role = TeamRoles["roles"][number];

/** The roles of a team and what each bundles. Built-in ones are shown, and stay as they are. */
export function RolesList({
  teamId,
  roles,
  sets,
  create,
  rename,
}: {
  teamId: string;
  roles: Role[];
  sets: TeamRoles["sets"];
  create: FormSubmit;
  rename: FormSubmit;
}) {
  const { review } = useAccessChanges();
  const [open, setOpen] = useState<{ what: "new" } | { what: "sets" | "rename"; role: Role } | null>(null);
  const close = () => setOpen(null);
  const own = roles.filter(({ builtIn }) => !builtIn);

  return (
    <section aria-labelledby="roles" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="roles" className="font-semibold">
          Roles
        </h2>
        <Button variant={own.length === 0 ? "default" : "outline"} onClick={() => setOpen({ what: "new" })}>
          New role
        </Button>
      </div>
      {own.length === 0 && (
        <p className="text-muted-foreground">
          These come with Signet and stay as they are. Create a role of your own to bundle permission sets differently.
        </p>
      )}
      <ul className="divide-y rounded-md border">
        {[...own, ...roles.filter(({ builtIn }) => builtIn)].map((role) => (
          <li key={role.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
            <div className="min-w-0 flex-1 basis-72">
              <p className="wrap-anywhere">
                <span className="font-medium">{role.name}</span>
                {role.builtIn && <span className="text-muted-foreground text-sm"> · built in</span>}
              </p>
              <p className="wrap-anywhere text-sm">
                {role.scope === "inherit_team"
                  ? "All that administrators hold, in all campaigns"
                  : permissionLabels(keysOf(role, sets)) || "Nothing yet"}
              </p>
              {role.setIds.length > 0 && (
                <p className="wrap-anywhere text-muted-foreground text-sm">
                  {role.setIds.length === 1 ? "Set" : "Sets"}: {setNames(role.setIds, sets)}
                </p>
              )}
            </div>
            <p className="text-muted-foreground text-sm">
              {role.members > 0 ? (
                <Link href={`/${teamId}/members?role=${role.id}`} prefetch={false} className="underline">
                  {usesOf(role)}
                </Link>
              ) : (
                usesOf(role)
              )}
            </p>
            {!role.builtIn && (
              <div className="flex flex-wrap gap-2">
                {role.scope === "assigned" && (
                  <Button variant="outline" onClick={() => setOpen({ what: "sets", role })}>
                    Sets<span className="sr-only"> of {role.name}</span>
                  </Button>
                )}
                <Button variant="outline" onClick={() => setOpen({ what: "rename", role })}>
                  Rename<span className="sr-only"> {role.name}</span>
                </Button>
                <Button
                  variant="danger"
                  onClick={() =>
                    review({
                      change: { kind: "delete-role", team: teamId, roleId: role.id },
                      title: `Delete the role ${role.name}?`,
                      confirm: "Delete role",
                      danger: true,
                      note: isUsed(role)
                        ? `It is in use: ${usesOf(role)}. Give them another role, or revoke the invitations, first.`
                        : "It cannot be brought back. Nobody holds it now.",
                    })
                  }
                >
                  Delete<span className="sr-only"> {role.name}</span>
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      {open?.what === "new" && <NewRoleDialog teamId={teamId} create={create} onClose={close} />}
      {open?.what === "rename" && <RenameRoleDialog teamId={teamId} role={open.role} rename={rename} onClose={close} />}
      {open?.what === "sets" && (
        <SetPicker
          title={`Permission sets of ${open.role.name}`}
          sets={sets}
          chosen={open.role.setIds}
          onClose={close}
          onChoose={(after) =>
            review({
              change: { kind: "role-sets", team: teamId, roleId: open.role.id, before: open.role.setIds, after },
              title: `Change what the role ${open.role.name} includes?`,
              confirm: "Save role",
            })
          }
        />
      )}
    </section>
  );
}

const keysOf = ({ setIds }: Role, sets: TeamRoles["sets"]) => [
  ...new Set(sets.filter(({ id }) => setIds.includes(id)).flatMap(({ keys }) => keys)),
];

const isUsed = ({ members, inCampaigns, invitations }: Role) => members + inCampaigns + invitations > 0;

function usesOf({ members, inCampaigns, invitations }: Role) {
  const uses = [
    ...(members > 0 ? [members === 1 ? "1 member" : `${members} members`] : []),
    ...(inCampaigns > 0 ? [`${inCampaigns} in campaigns`] : []),
    ...(invitations > 0 ? [invitations === 1 ? "1 invitation" : `${invitations} invitations`] : []),
  ];
  return uses.join(", ") || "not in use";
}
