"use client";

import { Check } from "lucide-react";
import { useState } from "react";
import { LeaveGuard } from "@/components/forms/leave-guard";
import { useAccessChanges } from "@/components/team-access/access-changes";
import { SetDialog } from "@/components/team-access/role-dialogs";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import type { FormSubmit } from "@/lib/forms/form-state";
import { inKeyOrder, permissionKeys, permissionLabel, permissionLabels } from "@/lib/permissions/permission-keys";
import type { TeamRoles } from "@/lib/team-access/read-team-roles";
import { cn } from "@/lib/utils";

type PermissionSet = TeamRoles["sets"][number];
/** Of each set that was touched: its keys then, and as they are to be. */
type Drafts = Record<string, { before: string[]; after: string[] }>;

const keys = Object.keys(permissionKeys);
const partsOf = (key: string) => key.split(".");
const areas = [...new Set(keys.map((key) => partsOf(key)[0] ?? ""))].map((area) => ({
  area,
  width: keys.filter((key) => partsOf(key)[0] === area).length,
}));
// The first key of each area has a line before it.
const firsts = new Set(keys.filter((key, place) => partsOf(key)[0] !== partsOf(keys[place - 1] ?? "")[0]));

/** Permission sets by keys: own ones are ticked, seen and saved together; built-in ones are shown. A list on a phone. */
export function SetsMatrix({
  teamId,
  sets,
  create,
  edit,
}: {
  teamId: string;
  sets: PermissionSet[];
  create: FormSubmit;
  edit: FormSubmit;
}) {
  const { review } = useAccessChanges();
  const [drafts, setDrafts] = useState<Drafts>({});
  const [open, setOpen] = useState<{ set?: PermissionSet; copyOf?: PermissionSet } | null>(null);
  const own = sets.filter(({ builtIn }) => !builtIn);
  const ordered = [...own, ...sets.filter(({ builtIn }) => builtIn)]; // what can be changed first
  const holds = (set: PermissionSet, key: string) => (drafts[set.id]?.after ?? set.keys).includes(key);
  const touched = (set: PermissionSet, key: string) => {
    const draft = drafts[set.id];
    return draft !== undefined && draft.before.includes(key) !== draft.after.includes(key);
  };
  const toggle = (set: PermissionSet, key: string) =>
    setDrafts((all) => {
      const { before, after } = all[set.id] ?? { before: set.keys, after: set.keys };
      const next = after.includes(key) ? after.filter((one) => one !== key) : [...after, key];
      return { ...all, [set.id]: { before, after: inKeyOrder(next) } };
    });
  const changed = Object.entries(drafts).filter(([, { before, after }]) => inKeyOrder(before).join() !== after.join());
  const cells = { holds, touched, toggle };
  const act = {
    edit: (set: PermissionSet) => setOpen({ set }),
    copy: (set: PermissionSet) => setOpen({ copyOf: set }),
    remove: (set: PermissionSet) =>
      review({
        change: { kind: "delete-set", team: teamId, setId: set.id },
        title: `Delete the permission set ${set.name}?`,
        confirm: "Delete set",
        danger: true,
        note:
          set.uses > 0
            ? `It is in use in ${set.uses === 1 ? "1 place" : `${set.uses} places`}: roles, administrators or members have it. Take it from them first.`
            : "It cannot be brought back. Nobody has it now.",
      }),
  };

  return (
    <section aria-labelledby="sets" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="sets" className="font-semibold">
          Permission sets
        </h2>
        <Button variant="outline" onClick={() => setOpen({})}>
          New set
        </Button>
      </div>
      <p className="text-muted-foreground">
        {own.length === 0
          ? "These come with Signet and stay as they are. Copy one, or create one of your own, to choose what it includes."
          : "Tick what your own sets include. Built-in ones stay as they are; copy one to change it."}
      </p>
      <Matrix sets={ordered} cells={cells} act={act} />
      <SetsAsList sets={ordered} cells={cells} act={act} />
      {changed.length > 0 && (
        <div className="sticky bottom-0 z-5 -mx-4 flex flex-wrap items-center gap-2 border-t bg-background px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:mx-0 md:rounded-md md:border md:px-3">
          <p role="status" className="mr-auto font-medium">
            {changed.length === 1 ? "1 set changed" : `${changed.length} sets changed`}
          </p>
          <Button variant="outline" onClick={() => setDrafts({})}>
            Discard
          </Button>
          <Button
            onClick={() =>
              review({
                change: {
                  kind: "set-keys",
                  team: teamId,
                  sets: changed.map(([setId, draft]) => ({ setId, ...typedKeys(draft) })),
                },
                title:
                  changed.length === 1 ? "Change this permission set?" : `Change ${changed.length} permission sets?`,
                confirm: "Save sets",
                onDone: () => setDrafts({}),
              })
            }
          >
            See what changes
          </Button>
        </div>
      )}
      {open && (
        <SetDialog
          teamId={teamId}
          set={open.set ?? null}
          copyOf={open.copyOf ? { name: open.copyOf.name, keys: open.copyOf.keys.filter(isKey) } : null}
          save={open.set ? edit : create}
          onClose={() => setOpen(null)}
        />
      )}
      <LeaveGuard armed={changed.length > 0} />
    </section>
  );
}

const isKey = (key: string): key is keyof typeof permissionKeys => Object.hasOwn(permissionKeys, key);
const typedKeys = ({ before, after }: Drafts[string]) => ({ before: before.filter(isKey), after: after.filter(isKey) });

type Parts = {
  sets: PermissionSet[];
  cells: {
    holds: (set: PermissionSet, key: string) => boolean;
    touched: (set: PermissionSet, key: string) => boolean;
    toggle: (set: PermissionSet, key: string) => void;
  };
  act: Record<"edit" | "copy" | "remove", (set: PermissionSet) => void>;
};

function Matrix({ sets, cells: { holds, touched, toggle }, act }: Parts) {
  const head = "border-b font-medium text-muted-foreground text-xs";
  return (
    <div className="overflow-hidden rounded-md border max-lg:hidden">
      <table aria-labelledby="sets" className="w-full border-collapse text-left">
        <thead>
          <tr>
            <th scope="col" rowSpan={2} className={cn(head, "px-4")}>
              Set
            </th>
            {areas.map(({ area, width }) => (
              <th
                key={area}
                scope="colgroup"
                colSpan={width}
                className="h-7 border-l px-1 text-center font-medium text-xs capitalize"
              >
                {area}
              </th>
            ))}
            <th scope="col" rowSpan={2} className={cn(head, "border-l px-3")}>
              <span className="sr-only">Actions</span>
            </th>
          </tr>
          <tr>
            {keys.map((key) => (
              <th
                key={key}
                scope="col"
                title={`${permissionLabel(key)} (${key})`}
                className={cn(head, "h-7 w-15 px-1 text-center", firsts.has(key) && "border-l")}
              >
                <span aria-hidden>{partsOf(key)[1]}</span>
                <span className="sr-only">{permissionLabel(key)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sets.map((set) => (
            <tr key={set.id} className="border-b last:border-b-0 hover:bg-muted/60">
              <th scope="row" className="py-1.5 pr-3 pl-4 font-normal">
                <span className="wrap-anywhere font-medium">{set.name}</span>
                {set.builtIn && <span className="text-muted-foreground text-sm"> · built in</span>}
                {set.description && (
                  <span title={set.description} className="block max-w-60 truncate text-muted-foreground text-sm">
                    {set.description}
                  </span>
                )}
              </th>
              {keys.map((key) => (
                <td
                  key={key}
                  className={cn(
                    "p-0 text-center",
                    firsts.has(key) && "border-l",
                    touched(set, key) && "bg-primary-soft",
                  )}
                >
                  {set.builtIn ? (
                    holds(set, key) && <Check aria-label="included" className="mx-auto size-4 text-muted-foreground" />
                  ) : (
                    // biome-ignore lint/a11y/noLabelWithoutControl: the box inside is one
                    <label className="flex h-11 cursor-pointer items-center justify-center">
                      <Checkbox
                        aria-label={`${set.name}: ${permissionLabel(key)}`}
                        checked={holds(set, key)}
                        onChange={() => toggle(set, key)}
                      />
                    </label>
                  )}
                </td>
              ))}
              <td className="border-l px-2 py-1.5">
                <SetActions set={set} act={act} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SetsAsList({ sets, cells: { holds, touched, toggle }, act }: Parts) {
  return (
    <ul className="divide-y rounded-md border lg:hidden">
      {sets.map((set) => (
        <li key={set.id}>
          <details open={!set.builtIn}>
            <summary className="wrap-anywhere min-h-11 cursor-pointer px-4 py-2.5">
              <span className="font-medium">{set.name}</span>
              {set.builtIn && <span className="text-muted-foreground text-sm"> · built in</span>}
              {set.description && <span className="block text-muted-foreground text-sm">{set.description}</span>}
            </summary>
            {set.builtIn ? (
              <div className="flex flex-col gap-2 px-4 pb-3">
                <p className="wrap-anywhere">{permissionLabels(set.keys)}</p>
                <SetActions set={set} act={act} />
              </div>
            ) : (
              <div className="flex flex-col pb-3">
                {keys.map((key) => (
                  // biome-ignore lint/a11y/noLabelWithoutControl: the box inside is one
                  <label
                    key={key}
                    className={cn(
                      "flex min-h-9 cursor-pointer items-center gap-3 px-4 pointer-coarse:min-h-11",
                      touched(set, key) && "bg-primary-soft",
                    )}
                  >
                    <Checkbox checked={holds(set, key)} onChange={() => toggle(set, key)} />
                    {permissionLabel(key)}
                  </label>
                ))}
                <div className="px-4 pt-2">
                  <SetActions set={set} act={act} />
                </div>
              </div>
            )}
          </details>
        </li>
      ))}
    </ul>
  );
}

function SetActions({ set, act }: { set: PermissionSet; act: Parts["act"] }) {
  if (set.builtIn) {
    return (
      <Button variant="outline" className="self-start" onClick={() => act.copy(set)}>
        Copy<span className="sr-only"> {set.name}</span>
      </Button>
    );
  }
  return (
    <div className="flex gap-2">
      <Button variant="outline" onClick={() => act.edit(set)}>
        Edit<span className="sr-only"> {set.name}</span>
      </Button>
      <Button variant="danger" onClick={() => act.remove(set)}>
        Delete<span className="sr-only"> {set.name}</span>
      </Button>
    </div>
  );
}
