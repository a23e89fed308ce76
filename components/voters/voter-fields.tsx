import { ArrowDownNarrowWide, ArrowDownWideNarrow, Search, X } from "lucide-react";
import { useId } from "react";
import { Button, IconButton } from "@/components/ui/button";
import { Label } from "@/components/ui/field";
import { Choice } from "@/components/ui/select";
import type { VoterScreen } from "@/components/voters/use-voter-screen";
import { SearchInput, VoterInput } from "@/components/voters/voter-input";
import {
  extraParams as allExtraParams,
  columnNames,
  type ExtraParam,
  fieldNames,
  filledFields,
  type SearchFields,
  sortableColumns,
  type VoterField,
  voterFields,
} from "@/lib/voters/voter-query";
import { fieldWords } from "@/lib/voters/voter-text";

/** `extraParams`: only the fields that the backend takes are shown and named. */
type Props = { screen: VoterScreen; extraParams: readonly ExtraParam[] };

/** One field for names, address, ZIP code and voter ID. */
export function VoterBox({ screen: { refs, search, listbox, actions }, extraParams }: Props) {
  const where = extraParams.includes("street") ? "address" : "house number";
  return (
    <SearchInput
      ref={refs.box}
      label={extraParams.includes("voterId") ? `Name, ${where}, ZIP code, or voter ID` : `Name, ${where}, or ZIP code`}
      data-field="box"
      popup="grid"
      listbox={listbox}
      value={search.box}
      maxLength={300}
      onText={search.typeBox}
      onKeyDown={actions.onKeyDown}
      clear={
        search.box !== "" && { label: "Clear the search", title: "Clear the search (Esc)", onClear: actions.clear }
      }
      icon={
        <Search
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted-foreground"
        />
      }
      boxClass="flex-1"
      className="pl-8 pointer-coarse:pl-9"
    />
  );
}

const saved = "Saved on this device until you clear it";

// Of twelve columns, where there is room.
const widths: Partial<Record<VoterField, string>> = {
  lastName: "@3xl:col-span-3",
  firstName: "@3xl:col-span-3",
  street: "@3xl:col-span-4",
};

const orders = columnNames.map((name) => [name, sortableColumns[name]] as const);

/** The separate fields, and the order. Nothing here has a name or is in a form, so the browser can't send it. */
export function VoterFields({ screen: { refs, search, listbox, actions }, extraParams }: Props) {
  const id = useId();
  const { order } = search.query;
  const shown = fieldNames.filter(
    (field) => !allExtraParams.some((extra) => extra === field && !extraParams.includes(extra)),
  );
  return (
    <div className="grid @3xl:grid-cols-12 @lg:grid-cols-4 grid-cols-2 gap-2">
      {shown.map((field) => (
        <VoterInput
          key={field}
          {...(field === "lastName" && { ref: refs.lastName })}
          field={field}
          popup="grid"
          className={widths[field] ?? "@3xl:col-span-2"}
          {...(field === "zip" && { inputMode: "numeric" as const })}
          {...((field === "city" || field === "county") && { saved })}
          fields={search.fields}
          listbox={listbox}
          onText={search.typeField}
          onKeyDown={actions.onKeyDown}
        />
      ))}
      <div className="flex @3xl:col-span-2 min-w-0 flex-col gap-1">
        <Label htmlFor={id} className="font-normal text-muted-foreground text-xs">
          Sort by
        </Label>
        <div className="flex gap-1">
          <Choice
            id={id}
            value={order.column}
            options={orders}
            onChoose={(column) => search.setOrder({ column, descending: false })}
            className="flex-1"
          />
          <IconButton
            variant="outline"
            icon={order.descending ? ArrowDownWideNarrow : ArrowDownNarrowWide}
            label={order.descending ? "Sort ascending" : "Sort descending"}
            title={order.descending ? "Descending" : "Ascending"}
            onClick={() => search.setOrder({ ...order, descending: !order.descending })}
          />
        </div>
      </div>
    </div>
  );
}

type ChipsProps = { fields: SearchFields; onLeaveOut: (field: VoterField) => void };

/** A chip for each field of the search, which removes it. */
export function VoterChips({ fields, onLeaveOut }: ChipsProps) {
  return filledFields(fields).map((field) => (
    <Button
      key={field}
      variant="outline"
      aria-label={`Clear ${fieldWords(field)}: ${fields[field]}`}
      title={`${voterFields[field]}: ${fields[field]}`}
      className="h-7 max-w-60 gap-1.5 bg-primary-soft px-2 font-normal pointer-coarse:px-2 pointer-coarse:text-sm"
      onClick={() => onLeaveOut(field)}
    >
      <span className="truncate">
        <span className="text-muted-foreground">{voterFields[field]}:</span> {fields[field]}
      </span>
      <X aria-hidden className="size-3.5! text-muted-foreground" />
    </Button>
  ));
}
