"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import { permissionLabels } from "@/lib/permissions/permission-keys";

/** A permission set as one chooses it. */
export type PickableSet = { id: string; name: string; keys: string[] };

/** Chooses permission sets; `onChoose` gets their ids, sorted, when they are others than before. */
export function SetPicker({
  title,
  sets,
  chosen,
  onChoose,
  onClose,
}: {
  title: string;
  sets: PickableSet[];
  chosen: string[];
  onChoose: (setIds: string[]) => void;
  onClose: () => void;
}) {
  const [picked, setPicked] = useState(new Set(chosen));
  const toggle = (id: string) =>
    setPicked((all) => {
      const next = new Set(all);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  return (
    <Dialog title={title} onClose={onClose}>
      {(close) => (
        <>
          <DialogBody className="gap-0 px-0 py-0">
            <ul className="divide-y">
              {sets.map(({ id, name, keys }) => (
                <li key={id}>
                  {/* biome-ignore lint/a11y/noLabelWithoutControl: the box inside is one */}
                  <label className="flex cursor-pointer items-start gap-3 px-4 py-2 hover:bg-muted/60 pointer-coarse:py-3">
                    <Checkbox className="mt-0.5" checked={picked.has(id)} onChange={() => toggle(id)} />
                    <span className="wrap-anywhere min-w-0">
                      <span className="block font-medium">{name}</span>
                      <span className="block text-muted-foreground text-sm">
                        {permissionLabels(keys) || "no permissions yet"}
                      </span>
                    </span>
                  </label>
                </li>
              ))}
            </ul>
          </DialogBody>
          <DialogFooter>
            <Button variant="outline" onClick={close}>
              Cancel
            </Button>
            <Button
              onClick={() => {
                close();
                const now = [...picked].toSorted();
                if (now.join() !== chosen.toSorted().join()) onChoose(now);
              }}
            >
              Use these sets
            </Button>
          </DialogFooter>
        </>
      )}
    </Dialog>
  );
}
