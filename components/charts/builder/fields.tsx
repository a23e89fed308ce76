import { Plus, X } from "lucide-react";
import { type ComponentProps, type ReactNode, useRef } from "react";
import { flushSync } from "react-dom";
import { Button, IconButton } from "@/components/ui/button";
import { Input } from "@/components/ui/input";

/** The problem of a field, which refers to it by `aria-describedby`. */
export function Problem({ id, children }: { id: string; children: string | undefined }) {
  return (
    <p id={id} role="status" className="text-destructive text-xs empty:hidden">
      {children}
    </p>
  );
}

export type FieldProps = { "aria-label": string; "aria-invalid": boolean; "aria-describedby": string };

type TextFieldProps = ComponentProps<typeof Input> & {
  /** Above the field; without it a placeholder says what the field is. */
  caption?: string;
  onText: (text: string) => void;
  onEnter?: (() => void) | undefined;
};

/** A text field in which Enter doesn't save the chart. */
export function TextField({ caption, onText, onEnter, ...props }: TextFieldProps) {
  const field = (
    <Input
      maxLength={120}
      autoComplete="off"
      {...props}
      onChange={(event) => onText(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
        event.preventDefault();
        onEnter?.();
      }}
    />
  );
  return caption === undefined ? (
    field
  ) : (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is its child
    <label className="flex min-w-0 flex-col gap-0.5">
      <span className="text-muted-foreground text-xs">{caption}</span>
      {field}
    </label>
  );
}

export function RemoveButton({ label, onRemove }: { label: string; onRemove: () => void }) {
  return <IconButton icon={X} label={`Remove ${label}`} onClick={onRemove} />;
}

type RowsProps<Row> = {
  rows: Row[];
  onRows: (rows: Row[]) => void;
  /** Returns undefined if there is nothing left to add. */
  newRow: () => Row | undefined;
  addLabel: string;
  canAdd?: boolean;
  /** Between the rows and the button. */
  below?: ReactNode;
  children: (row: Row, index: number, onRow: (row: Row) => void, onRemove: () => void) => ReactNode;
};

/**
 * A list that grows by a button. The focus moves to the new row's field with `data-row`, so the next key is for it, and
 * back to the button when a row is removed.
 */
export function Rows<Row>({ rows, onRows, newRow, addLabel, canAdd = true, below, children }: RowsProps<Row>) {
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const add = () => {
    const row = newRow();
    if (row === undefined) return;
    flushSync(() => onRows([...rows, row]));
    [...(list.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [])].at(-1)?.focus();
  };
  const remove = (index: number) => {
    onRows(rows.toSpliced(index, 1));
    button.current?.focus();
  };
  return (
    <div ref={list} className="flex flex-col gap-2">
      {rows.map((row, index) =>
        children(
          row,
          index,
          (changed) => onRows(rows.with(index, changed)),
          () => remove(index),
        ),
      )}
      {below}
      <Button
        ref={button}
        variant="ghost"
        className="-ml-2 self-start px-2 text-muted-foreground"
        aria-disabled={!canAdd}
        onClick={add}
      >
        <Plus aria-hidden />
        {addLabel}
      </Button>
    </div>
  );
}
