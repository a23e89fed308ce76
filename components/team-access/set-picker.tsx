"use client";

import { type ComponentProps, type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import { permissionLabels, unusableText } from "@/lib/permissions/permission-keys";

export type PickableSet = { id: string; name: string; keys: string[] };

/** Names of permission sets: `Viewer, Data entry`. */
export function setNames(setIds: string[], sets: { id: string; name: string }[]): string {
  const names = sets.filter(({ id }) => setIds.includes(id)).map(({ name }) => name);
  return names.join(", ") || "No permission sets";
}

/** The checkbox of a permission set, with what the set includes. */
export function SetChoice({
  set,
  note,
  ...props
}: { set: PickableSet; note?: string | undefined } & ComponentProps<typeof Checkbox>) {
  return (
    <label className="flex cursor-pointer items-start gap-3 px-4 py-2 hover:bg-muted/60 pointer-coarse:py-3">
      <Checkbox className="mt-0.5" {...props} />
      <span className="wrap-anywhere min-w-0">
        <span className="block font-medium">
          {set.name}
          {note && <span className="font-normal text-muted-foreground text-sm"> · {note}</span>}
        </span>
        <span className="block text-muted-foreground text-sm">{permissionLabels(set.keys) || "No permissions"}</span>
      </span>
    </label>
  );
}

/** A warning about chosen sets with a permission that can't be used without another one. Empty if there is none. */
export function SetsWarning({ sets, setIds }: { sets: PickableSet[]; setIds: string[] }) {
  return (
    <p role="status" className="wrap-anywhere mt-2 text-warning empty:hidden">
      {unusableText(sets.filter(({ id }) => setIds.includes(id)).flatMap(({ keys }) => keys))}
    </p>
  );
}

/** Chooses permission sets; `onChoose` gets their ids, sorted, if they differ from `chosen`. */
export function SetPicker({
  title,
  sets,
  chosen,
  roleSetIds = [],
  otherSetIds = [],
  submit = "Preview changes",
  onChoose,
  onClose,
}: {
  title: string;
  sets: PickableSet[];
  chosen: string[];
  /** What the role has already. */
  roleSetIds?: string[] | undefined;
  /** What the person has team-wide. */
  otherSetIds?: string[] | undefined;
  submit?: string;
  onChoose: (setIds: string[]) => void;
  onClose: () => void;
}) {
  const [picked, setPicked] = useState(chosen);
  const idsIn = (form: HTMLFormElement) => new FormData(form).getAll("set").map(String).toSorted();
  const pick = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const after = idsIn(event.currentTarget);
    onClose();
    if (after.join() !== chosen.toSorted().join()) onChoose(after);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={pick}
        onChange={({ currentTarget }) => setPicked(idsIn(currentTarget))}
        className="flex min-h-0 flex-col"
      >
        <DialogBody className="gap-0 px-0 py-0">
          <ul className="divide-y">
            {sets.map((set) => (
              <li key={set.id}>
                <SetChoice
                  set={set}
                  note={roleSetIds.includes(set.id) ? "in the role" : undefined}
                  name="set"
                  value={set.id}
                  defaultChecked={chosen.includes(set.id)}
                />
              </li>
            ))}
          </ul>
        </DialogBody>
        <div className="border-t px-4 pb-2 has-[>p:empty]:hidden">
          <SetsWarning sets={sets} setIds={[...picked, ...roleSetIds, ...otherSetIds]} />
        </div>
        <DialogFooter>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit">{submit}</Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
