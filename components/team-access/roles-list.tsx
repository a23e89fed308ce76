"use client";

import { Fragment, useState } from "react";
import { FormDialog } from "@/components/forms/form-dialog";
import { InputField } from "@/components/forms/input-field";
import { useFormat } from "@/components/shell/format-provider";
import { useRequestedDialog } from "@/components/shell/navigation/use-requested-dialog";
import { useAccessChanges } from "@/components/team-access/access-changes";
import { SetChoice, SetPicker, SetsWarning, setNames } from "@/components/team-access/set-picker";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import type { Format } from "@/lib/format/format-of";
import { capitalized } from "@/lib/format/text";
import type { FormSubmit } from "@/lib/forms/form-state";
import { permissionLabels } from "@/lib/permissions/permission-keys";
import type { TeamRoles } from "@/lib/team-access/read-team-roles";

type Role = TeamRoles["roles"][number];

/** The roles of a team with their permission sets. Built-in ones can't be edited. */
export function RolesList({
  roles,
  sets,
  create,
  rename,
}: {
  roles: Role[];
  sets: TeamRoles["sets"];
  create: FormSubmit;
  rename: FormSubmit;
}) {
  const { team, review } = useAccessChanges();
  const format = useFormat();
  const creating = useRequestedDialog("create");
  const [open, setOpen] = useState<{ what: "sets" | "rename"; role: Role } | null>(null);
  const close = () => setOpen(null);
  const own = roles.filter(({ builtIn }) => !builtIn);
  const actionsOf = (role: Role) => (
    <div className="flex flex-wrap gap-2 print:hidden">
      {role.scope === "assigned" && (
        <Button variant="outline" onClick={() => setOpen({ what: "sets", role })}>
          Edit permission sets<span className="sr-only"> for {role.name}</span>
        </Button>
      )}
      <Button variant="outline" onClick={() => setOpen({ what: "rename", role })}>
        Rename<span className="sr-only"> {role.name}</span>
      </Button>
      <Button
        variant="danger"
        onClick={() =>
          review({
            change: { kind: "delete-role", team: team.id, roleId: role.id },
            title: `Delete the ${role.name} role?`,
            confirm: "Delete role",
            danger: true,
            done: `${role.name} deleted.`,
            note: "This can't be undone.",
            blocked: whyInUse(role, format),
          })
        }
      >
        Delete<span className="sr-only"> {role.name}</span>
      </Button>
    </div>
  );

  return (
    <Section
      title="Roles"
      {...(own.length === 0 && {
        note: "Built-in roles can't be edited. Create your own to combine permission sets differently.",
      })}
      action={
        <Button variant={own.length === 0 ? "default" : "outline"} onClick={creating.open}>
          New role
        </Button>
      }
    >
      <ul className="divide-y rounded-md border">
        {[...own, ...roles.filter(({ builtIn }) => builtIn)].map((role) => (
          <li key={role.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
            <div className="min-w-0 flex-1 basis-72">
              <p className="wrap-anywhere">
                <span className="font-medium">{role.name}</span>
                {role.builtIn && <span className="text-muted-foreground text-sm"> · built-in</span>}
              </p>
              <p className="wrap-anywhere text-sm">
                {role.scope === "inherit_team"
                  ? "Can open every campaign. Set its permissions under Administrators."
                  : permissionLabels(keysOf(role, sets)) || "No permissions"}
              </p>
              {role.setIds.length > 0 && (
                <p className="wrap-anywhere text-muted-foreground text-sm">
                  {role.setIds.length === 1 ? "Permission set" : "Permission sets"}: {setNames(role.setIds, sets)}
                </p>
              )}
            </div>
            <Uses role={role} path={`/${team.id}/members`} />
            {!role.builtIn && actionsOf(role)}
          </li>
        ))}
      </ul>
      {creating.isOpen && <RoleDialog renamed={null} sets={sets} save={create} onClose={creating.close} />}
      {open?.what === "rename" && <RoleDialog renamed={open.role} sets={sets} save={rename} onClose={close} />}
      {open?.what === "sets" && (
        <SetPicker
          title={`Permission sets for ${open.role.name}`}
          sets={sets}
          chosen={open.role.setIds}
          onClose={close}
          onChoose={(after) =>
            review({
              change: { kind: "role-sets", team: team.id, roleId: open.role.id, before: open.role.setIds, after },
              title: `Change permission sets for ${open.role.name}?`,
              confirm: "Change permission sets",
              done: `${open.role.name} saved.`,
              uses: usesText(open.role, format) ?? "No one has this role.",
            })
          }
        />
      )}
    </Section>
  );
}

const keysOf = ({ setIds }: Role, sets: TeamRoles["sets"]) => [
  ...new Set(sets.filter(({ id }) => setIds.includes(id)).flatMap(({ keys }) => keys)),
];

const holdersOf = ({ members, inCampaigns }: Role, { count }: Format) => ({
  role: members > 0 && count(members, "member"),
  campaignRole: inCampaigns > 0 && count(inCampaigns, "person in specific campaigns", "people in specific campaigns"),
});

/** `3 members, 1 person in specific campaigns`, each with a link to them. */
function Uses({ role, path }: { role: Role; path: string }) {
  const format = useFormat();
  const links = Object.entries(holdersOf(role, format)).filter(([, text]) => text);
  const invited = role.invitations > 0 && format.count(role.invitations, "invitation");
  return (
    <p className="text-muted-foreground text-sm">
      {links.map(([filter, text], place) => (
        <Fragment key={filter}>
          {place > 0 && ", "}
          <Link href={`${path}?${filter}=${role.id}`} className="underline">
            {text}
          </Link>
        </Fragment>
      ))}
      {links.length > 0 && invited && ", "}
      {invited || (links.length === 0 && "not in use")}
    </p>
  );
}

/** `3 members and 1 person in specific campaigns have this role.`; undefined for a role that isn't in use. */
function usesText(role: Role, format: Format) {
  const { members, inCampaigns, invitations } = role;
  const holders = format.list(Object.values(holdersOf(role, format)).filter((text) => text !== false));
  const have = holders && `${holders} ${members + inCampaigns === 1 ? "has" : "have"} this role`;
  const grants = `${format.count(invitations, "open invitation")} ${invitations === 1 ? "grants" : "grant"}`;
  if (invitations === 0) return have ? `${have}.` : undefined;
  return have ? `${have}, and ${grants} it.` : `${grants} this role.`;
}

/** The same, and what to do before the role can be deleted. */
function whyInUse(role: Role, format: Format) {
  const { name, members, inCampaigns, invitations } = role;
  const holders = members + inCampaigns > 0 && "give them another role";
  const invited =
    invitations > 0 && `change or revoke the ${invitations === 1 ? "invitation" : "invitations"} under Members`;
  const uses = usesText(role, format);
  return uses && `${uses} ${capitalized([holders, invited].filter(Boolean).join(", "))}, then delete ${name}.`;
}

const scopes = [
  ["assigned", "A role with its own permission sets", "Choose them below. You can change them later."],
  ["inherit_team", "An administrator role", "Can open every campaign. Set its permissions under Administrators."],
] as const;

/** Creates a role, or renames the given one. */
function RoleDialog({
  renamed,
  sets,
  save,
  onClose,
}: {
  renamed: Role | null;
  sets: TeamRoles["sets"];
  save: FormSubmit;
  onClose: () => void;
}) {
  const { team, announce } = useAccessChanges();
  const [scope, setScope] = useState<Role["scope"]>("assigned");
  const [setIds, setSetIds] = useState<string[]>([]);
  const created = { setIds: JSON.stringify(scope === "assigned" ? setIds : []) };
  return (
    <FormDialog
      title={renamed ? `Rename ${renamed.name}` : "New role"}
      action={save}
      submit={renamed ? "Rename" : "Create role"}
      hidden={{ team: team.id, ...(renamed ? { roleId: renamed.id, before: renamed.name } : created) }}
      onDone={announce}
      onClose={onClose}
    >
      {(state) => (
        <>
          <InputField state={state} name="name" label="Name" data-first defaultValue={renamed?.name ?? ""} />
          {!renamed && (
            <fieldset className="flex flex-col gap-1">
              <legend className="mb-1 font-medium text-sm">Type</legend>
              {scopes.map(([value, label, hint]) => (
                <label key={value} className="flex cursor-pointer items-start gap-3 py-1 pointer-coarse:py-2.5">
                  <input
                    type="radio"
                    name="scope"
                    value={value}
                    checked={value === scope}
                    onChange={() => setScope(value)}
                    className="mt-0.5 size-4 shrink-0 accent-primary"
                  />
                  <span>
                    {label}
                    <span className="block text-muted-foreground text-sm">{hint}</span>
                  </span>
                </label>
              ))}
            </fieldset>
          )}
          {!renamed && scope === "assigned" && (
            <fieldset>
              <legend className="mb-1 font-medium text-sm">Permission sets</legend>
              <ul className="divide-y rounded-md border">
                {sets.map((set) => (
                  <li key={set.id}>
                    <SetChoice
                      set={set}
                      checked={setIds.includes(set.id)}
                      onChange={({ target }) =>
                        setSetIds((before) =>
                          target.checked ? [...before, set.id] : before.filter((id) => id !== set.id),
                        )
                      }
                    />
                  </li>
                ))}
              </ul>
              <SetsWarning sets={sets} setIds={setIds} />
            </fieldset>
          )}
        </>
      )}
    </FormDialog>
  );
}
