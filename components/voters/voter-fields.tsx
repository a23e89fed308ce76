import { ArrowDownNarrowWide, ArrowDownWideNarrow, Search, X } from "lucide-react";
import { type KeyboardEvent, type Ref, useId } from "react";
import { Button } from "@/components/ui/button";
import { Label } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { comboboxOf, VoterInput, type VoterListbox } from "@/components/voters/voter-input";
import {
  columnNames,
  type ExtraParam,
  fieldNames,
  filledFields,
  type VoterField,
  type VoterOrder,
  type VoterTexts,
  voterColumns,
  voterFields,
} from "@/lib/voters/voter-query";

/** One field for names, address, zip and voter ID. */
export function VoterBox({
  ref,
  text,
  extras,
  listbox,
  onText,
  onClear,
  onKeyDown,
}: {
  ref: Ref<HTMLInputElement>;
  text: string;
  /** The label promises only what the backend takes. */
  extras: readonly ExtraParam[];
  listbox: VoterListbox | null;
  onText: (text: string) => void;
  onClear: () => void;
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
}) {
  const id = useId();
  const where = extras.includes("street") ? "address" : "house number";
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-1">
      <label htmlFor={id} className="truncate text-muted-foreground text-xs">
        {extras.includes("voterId") ? `Name, ${where}, zip or voter ID` : `Name, ${where} or zip`}
      </label>
      <div className="relative">
        <Search
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted-foreground"
        />
        <Input
          ref={ref}
          id={id}
          data-field="box"
          {...comboboxOf("grid", listbox)}
          value={text}
          maxLength={300}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={onKeyDown}
          className="pr-8 pl-8 pointer-coarse:pr-11 pointer-coarse:pl-9"
        />
        {text !== "" && (
          <Button
            variant="ghost"
            size="icon"
            aria-label="Clear the search"
            title="Clear the search (Esc)"
            className="absolute top-0 right-0 text-muted-foreground hover:bg-transparent hover:text-foreground"
            onClick={onClear}
          >
            <X aria-hidden />
          </Button>
        )}
      </div>
    </div>
  );
}

const saved = "Saved on this device until you clear it";

// Of twelve columns, where there is room.
const widths: Record<VoterField, string> = {
  lastName: "@3xl:col-span-4",
  firstName: "@3xl:col-span-3",
  houseNumber: "@3xl:col-span-2",
  street: "@3xl:col-span-3",
  zip: "@3xl:col-span-2",
  city: "@3xl:col-span-3",
  county: "@3xl:col-span-3",
  voterId: "@3xl:col-span-2",
};

/** The separate fields, and the order. Nothing here has a name or is in a form, so the browser can't send it. */
export function VoterFields({
  ref,
  texts,
  extras,
  order,
  listbox,
  onText,
  onOrder,
  onKeyDown,
}: {
  /** The last name. */
  ref: Ref<HTMLInputElement>;
  texts: VoterTexts;
  /** Fields that the backend doesn't take are left out. */
  extras: readonly ExtraParam[];
  order: VoterOrder;
  listbox: VoterListbox | null;
  onText: (field: VoterField, text: string) => void;
  onOrder: (order: VoterOrder) => void;
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
}) {
  const id = useId();
  const shown = fieldNames.filter((field) => (field !== "street" && field !== "voterId") || extras.includes(field));
  return (
    <div className="grid @3xl:grid-cols-12 @lg:grid-cols-4 grid-cols-2 gap-2">
      {shown.map((field) => (
        <VoterInput
          key={field}
          {...(field === "lastName" && { ref })}
          field={field}
          popup="grid"
          className={widths[field]}
          {...(field === "zip" && { inputMode: "numeric" as const })}
          {...((field === "city" || field === "county") && { saved })}
          texts={texts}
          listbox={listbox}
          onText={onText}
          onKeyDown={onKeyDown}
        />
      ))}
      <div className="flex @3xl:col-span-2 min-w-0 flex-col gap-1">
        <Label htmlFor={`${id}-order`} className="font-normal text-muted-foreground text-xs">
          Order
        </Label>
        <div className="flex gap-1">
          <Select
            id={`${id}-order`}
            value={order.column}
            onChange={(event) => {
              const column = columnNames.find((name) => name === event.target.value);
              if (column) onOrder({ column, descending: false });
            }}
            className="flex-1"
          >
            {columnNames.map((column) => (
              <option key={column} value={column}>
                {column === "houseNumber" ? voterFields.houseNumber : voterColumns[column]}
              </option>
            ))}
          </Select>
          <Button
            variant="outline"
            size="icon"
            aria-label={order.descending ? "Sort ascending" : "Sort descending"}
            title={order.descending ? "Descending" : "Ascending"}
            onClick={() => onOrder({ ...order, descending: !order.descending })}
          >
            {order.descending ? <ArrowDownWideNarrow aria-hidden /> : <ArrowDownNarrowWide aria-hidden />}
          </Button>
        </div>
      </div>
    </div>
  );
}

/** What is searched for, a chip a field. Each can be removed. */
export function VoterChips({ texts, onLeaveOut }: { texts: VoterTexts; onLeaveOut: (field: VoterField) => void }) {
  return filledFields(texts).map((field) => (
    <Button
      key={field}
      variant="outline"
      aria-label={`Clear ${voterFields[field].toLowerCase()}: ${texts[field]}`}
      title={`${voterFields[field]}: ${texts[field]}`}
      className="h-7 max-w-60 gap-1.5 bg-primary-soft px-2 font-normal"
      onClick={() => onLeaveOut(field)}
    >
      <span className="truncate">
        <span className="text-muted-foreground">{voterFields[field]}:</span> {texts[field]}
      </span>
      <X aria-hidden className="size-3.5! text-muted-foreground" />
    </Button>
  ));
}
