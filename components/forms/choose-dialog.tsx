"use client";

import { type Option, SelectField } from "@/components/forms/select-field";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";

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
  fields: { label: string; options: Option[] }[];
  /** Gets the chosen option of each field. */
  onChosen: (...chosen: Option[]) => void;
  onClose: () => void;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          const chosen = fields.map(({ label, options }) => options.find(({ id }) => id === form.get(label)));
          onClose();
          if (chosen.every((option) => option !== undefined)) onChosen(...chosen);
        }}
        className="flex min-h-0 flex-col"
      >
        <DialogBody>
          {note && <p>{note}</p>}
          {fields.map((field, index) => (
            <SelectField
              key={field.label}
              name={field.label}
              {...field}
              none={field.options.length > 1 ? "Choose one" : undefined}
              required
              data-first={index === 0 || undefined}
            />
          ))}
        </DialogBody>
        <DialogFooter>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit">Preview changes</Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
