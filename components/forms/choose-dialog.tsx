"use client";

import { useId } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";

/** Asks for a choice from each list, before the change is previewed. */
export function ChooseDialog({
  title,
  note,
  fields,
  onChosen,
  onClose,
}: {
  title: string;
  note?: string | undefined;
  fields: { name: string; label: string; options: { id: string; name: string }[] }[];
  onChosen: (chosen: Record<string, string>) => void;
  onClose: () => void;
}) {
  const id = useId();
  return (
    <Dialog title={title} onClose={onClose}>
      {(close) => (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const form = new FormData(event.currentTarget);
            close();
            onChosen(Object.fromEntries(fields.map(({ name }) => [name, String(form.get(name) ?? "")])));
          }}
          className="flex min-h-0 flex-col"
        >
          <DialogBody>
            {note && <p>{note}</p>}
            {fields.map(({ name, label, options }, place) => (
              <Field key={name} id={`${id}-${name}`} label={label}>
                <Select id={`${id}-${name}`} name={name} {...(place === 0 && { "data-first": true })}>
                  {options.map((option) => (
                    <option key={option.id} value={option.id}>
                      {option.name}
                    </option>
                  ))}
                </Select>
              </Field>
            ))}
          </DialogBody>
          <DialogFooter>
            <Button variant="outline" onClick={close}>
              Cancel
            </Button>
            <Button type="submit">Preview changes</Button>
          </DialogFooter>
        </form>
      )}
    </Dialog>
  );
}
