"use client";

import { useState } from "react";
import { FormDialog } from "@/components/forms/form-dialog";
import { InputField } from "@/components/forms/input-field";
import { LeaveGuard } from "@/components/forms/leave-guard";
import { useFormat } from "@/components/shell/format-provider";
import { useAccessChanges } from "@/components/team-access/access-changes";
import { type PermissionSet, SetsList, SetsMatrix } from "@/components/team-access/sets-matrix";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import { StickyBar } from "@/components/ui/sticky-bar";
import type { Format } from "@/lib/format/format-of";
import { capitalized } from "@/lib/format/text";
import type { FormSubmit } from "@/lib/forms/form-state";
import { inKeyOrder, isPermissionKey, type PermissionKey } from "@/lib/permissions/permission-keys";
import type { TeamRoles } from "@/lib/team-access/read-team-roles";

type Opened = { set: PermissionSet | null; copyOf: PermissionSet | null };

/** The permission sets of a team. Custom ones are edited in place and saved together; built-in ones can be copied. */
export function PermissionSets({ roles, create, edit }: { roles: TeamRoles; create: FormSubmit; edit: FormSubmit }) {
  const { team, review } = useAccessChanges();
  const format = useFormat();
  const { cells, changes, discard } = useSetDrafts();
  const [open, setOpen] = useState<Opened | null>(null);
  const { sets } = roles;
  const own = sets.filter(({ builtIn }) => !builtIn);
  const ordered = [...own, ...sets.filter(({ builtIn }) => builtIn)];
  const changed = changes.length === 1 ? "1 set changed" : `${changes.length} sets changed`;
  const act = {
    edit: (set: PermissionSet) => setOpen({ set, copyOf: null }),
    copy: (set: PermissionSet) => setOpen({ set: null, copyOf: set }),
    remove: (set: PermissionSet) =>
      review({
        change: { kind: "delete-set", team: team.id, setId: set.id },
        title: `Delete the permission set ${set.name}?`,
        confirm: "Delete permission set",
        done: `${set.name} deleted.`,
        danger: true,
        note: "This can't be undone.",
        blocked:
          set.uses > 0 ? `${usedText([set], roles, format)} Remove it there, then delete ${set.name}.` : undefined,
      }),
  };
  const changedSets = own.filter(({ id }) => changes.some(({ setId }) => setId === id));
  const [only, ...others] = changedSets;
  const isOne = only !== undefined && others.length === 0;
  const uses = changedSets.reduce((sum, set) => sum + set.uses, 0);
  const reviewChanges = () =>
    review({
      change: { kind: "set-keys", team: team.id, sets: changes },
      title: `Change ${isOne ? `the permission set ${only.name}` : `${changes.length} permission sets`}?`,
      confirm: isOne ? "Change permission set" : "Change permission sets",
      done: `${isOne ? only.name : `${changes.length} permission sets`} saved.`,
      uses:
        uses > 0
          ? usedText(changedSets, roles, format)
          : `No role, administrator or member has ${isOne ? "this set" : "these sets"}.`,
      onDone: discard,
    });

  return (
    <Section
      title="Permission sets"
      note={
        own.length === 0
          ? "Built-in permission sets can't be edited. Copy one or create your own to choose its permissions."
          : "Choose the permissions of your own sets. Built-in permission sets can't be edited; copy one to change it."
      }
      action={
        <Button variant="outline" onClick={() => setOpen({ set: null, copyOf: null })}>
          New permission set
        </Button>
      }
    >
      <SetsMatrix sets={ordered} cells={cells} act={act} />
      <SetsList sets={ordered} cells={cells} act={act} />
      {changes.length > 0 && (
        <StickyBar>
          <p role="status" className="mr-auto font-medium">
            {changed}
          </p>
          <Button variant="outline" onClick={discard}>
            Discard changes
          </Button>
          <Button onClick={reviewChanges}>Preview changes</Button>
        </StickyBar>
      )}
      {open && <SetDialog {...open} save={open.set ? edit : create} onClose={() => setOpen(null)} />}
      <LeaveGuard armed={changes.length > 0} />
    </Section>
  );
}

/** What has one of the sets: `The Greeter role, administrators, and some members have this set.` */
function usedText(sets: PermissionSet[], { roles, teamSetIds, campaigns }: TeamRoles, { list }: Format) {
  const allUses = sets.flatMap(({ id, uses }) => {
    const inRoles = roles.filter(({ setIds }) => setIds.includes(id));
    const ofAdministrators = [{ setIds: teamSetIds }, ...campaigns].filter(({ setIds }) => setIds.includes(id)).length;
    return [
      ...inRoles.map(({ name }) => `the ${name} role`),
      ofAdministrators > 0 && "administrators",
      uses > inRoles.length + ofAdministrators && "some members",
    ].filter((use) => use !== false);
  });
  const uses = [...new Set(allUses)];
  const has = uses.length === 1 && uses[0]?.endsWith(" role") ? "has" : "have";
  return `${capitalized(list(uses))} ${has} ${sets.length === 1 ? "this set" : "these sets"}.`;
}

/** The permissions of the sets while they are edited, and the changed sets with their keys before and after. */
function useSetDrafts() {
  // `before` has the keys as shown when the change began: someone else may change them in the meantime.
  const [drafts, setDrafts] = useState<Record<string, { before: PermissionKey[]; after: PermissionKey[] }>>({});
  const draftOf = ({ id, keys }: PermissionSet, all = drafts) => {
    const before = inKeyOrder(keys.filter(isPermissionKey));
    return all[id] ?? { before, after: before };
  };
  const toggle = (set: PermissionSet, key: PermissionKey) =>
    setDrafts((all) => {
      const { before, after } = draftOf(set, all);
      const next = after.includes(key) ? after.filter((other) => other !== key) : inKeyOrder([...after, key]);
      return { ...all, [set.id]: { before, after: next } };
    });
  const cells = {
    toggle,
    has: (set: PermissionSet, key: PermissionKey) => draftOf(set).after.includes(key),
    isChanged: (set: PermissionSet, key: PermissionKey) => {
      const { before, after } = draftOf(set);
      return before.includes(key) !== after.includes(key);
    },
  };
  const changes = Object.entries(drafts)
    .filter(([, { before, after }]) => before.join() !== after.join())
    .map(([setId, draft]) => ({ setId, ...draft }));
  return { cells, changes, discard: () => setDrafts({}) };
}

/** Creates a permission set, empty or as a copy, or changes its name and description. */
function SetDialog({ set, copyOf, save, onClose }: Opened & { save: FormSubmit; onClose: () => void }) {
  const { team, announce } = useAccessChanges();
  const keys = copyOf?.keys.filter(isPermissionKey) ?? [];
  return (
    <FormDialog
      title={set ? `Edit ${set.name}` : copyOf ? `Copy ${copyOf.name}` : "New permission set"}
      action={save}
      submit={set ? "Save" : "Create permission set"}
      hidden={
        set
          ? { team: team.id, setId: set.id, before: JSON.stringify({ name: set.name, description: set.description }) }
          : { team: team.id, keys: JSON.stringify(keys) }
      }
      onDone={announce}
      onClose={onClose}
    >
      {(state) => (
        <>
          {copyOf && <p>Starts with the same permissions; edit them afterward.</p>}
          <InputField
            state={state}
            name="name"
            label="Name"
            data-first
            defaultValue={set?.name ?? (copyOf ? `Copy of ${copyOf.name}` : "")}
          />
          <InputField
            state={state}
            name="description"
            label="Description (optional)"
            defaultValue={set?.description ?? ""}
          />
        </>
      )}
    </FormDialog>
  );
}
