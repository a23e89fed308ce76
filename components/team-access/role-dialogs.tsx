"use client";

import { useState } from "react";
import { FormDialog } from "@/components/forms/form-dialog";
import { InputField } from "@/components/forms/input-field";
import { useAccessChanges } from "@/components/team-access/access-changes";
import type { FormSubmit } from "@/lib/forms/form-state";

/** Creates a role. */
export function NewRoleDialog({
  teamId,
  create,
  onClose,
}: {
  teamId: string;
  create: FormSubmit;
  onClose: () => void;
}) {
  const { tell } = useAccessChanges();
  const scopes = [
    ["assigned", "A role with its own permission sets", "You choose its permission sets next."],
    ["inherit_team", "An administrator of the team", "Reaches all campaigns, and holds what administrators hold."],
  ] as const;
  return (
    <FormDialog
      title="New role"
      action={create}
      submit="Create role"
      hidden={{ team: teamId }}
      onDone={tell}
      onClose={onClose}
    >
      {(state) => (
        <>
          <InputField state={state} name="name" label="Name" data-first defaultValue="" />
          <fieldset className="flex flex-col gap-1">
            <legend className="mb-1 font-medium text-sm">What it is</legend>
            {scopes.map(([value, label, hint]) => (
              <label key={value} className="flex cursor-pointer items-start gap-3 py-1 pointer-coarse:py-2.5">
                <input
                  type="radio"
                  name="scope"
                  value={value}
                  defaultChecked={value === "assigned"}
                  className="mt-0.5 size-4 shrink-0 accent-primary"
                />
                <span>
                  <span className="block">{label}</span>
                  <span className="block text-muted-foreground text-sm">{hint}</span>
                </span>
              </label>
            ))}
          </fieldset>
        </>
      )}
    </FormDialog>
  );
}

/** Gives a role another name. */
export function RenameRoleDialog({
  teamId,
  role,
  rename,
  onClose,
}: {
  teamId: string;
  role: { id: string; name: string };
  rename: FormSubmit;
  onClose: () => void;
}) {
  const { tell } = useAccessChanges();
  const [shown] = useState(role.name); // what the change is of, whatever others do meanwhile
  return (
    <FormDialog
      title={`Rename ${shown}`}
      action={rename}
      submit="Rename"
      hidden={{ team: teamId, roleId: role.id, before: shown }}
      onDone={tell}
      onClose={onClose}
    >
      {(state) => <InputField state={state} name="name" label="Name" data-first defaultValue={shown} />}
    </FormDialog>
  );
}

/** Creates a permission set, empty or with what another one includes, or changes its name and description. */
export function SetDialog({
  teamId,
  set,
  copyOf = null,
  save,
  onClose,
}: {
  teamId: string;
  /** The one to change; null for a new one. */
  set: { id: string; name: string; description: string | null } | null;
  /** What a new one begins with. */
  copyOf?: { name: string; keys: string[] } | null;
  save: FormSubmit;
  onClose: () => void;
}) {
  const { tell } = useAccessChanges();
  const [shown] = useState(set);
  const before = shown && { name: shown.name, description: shown.description };
  return (
    <FormDialog
      title={shown ? `Edit ${shown.name}` : copyOf ? `Copy ${copyOf.name}` : "New permission set"}
      action={save}
      submit={shown ? "Save" : "Create set"}
      hidden={{
        team: teamId,
        ...(shown ? { setId: shown.id, before: JSON.stringify(before) } : { keys: JSON.stringify(copyOf?.keys ?? []) }),
      }}
      onDone={tell}
      onClose={onClose}
    >
      {(state) => (
        <>
          {copyOf && <p>It begins with the same permissions. Change them here as soon as it is made.</p>}
          <InputField
            state={state}
            name="name"
            label="Name"
            data-first
            defaultValue={shown?.name ?? (copyOf ? `Copy of ${copyOf.name}` : "")}
          />
          <InputField
            state={state}
            name="description"
            label="Description"
            hint="What it is for. May stay empty."
            defaultValue={shown?.description ?? ""}
          />
        </>
      )}
    </FormDialog>
  );
}
