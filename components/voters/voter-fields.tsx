import { ArrowDownNarrowWide, ArrowDownWideNarrow } from "lucide-react";
import { type KeyboardEvent, type Ref, useId } from "react";
import { Button } from "@/components/ui/button";
import { Label } from "@/components/ui/label";
import { Select } from "@/components/ui/select";
import { VoterInput, type VoterListbox } from "@/components/voters/voter-input";
import {
  columnNames,
  type ExtraParam,
  fieldNames,
  type VoterField,
  type VoterOrder,
  type VoterTexts,
  voterColumns,
  voterFields,
} from "@/lib/voters/voter-query";

const kept = "Kept on this device until you clear it";

// Of twelve columns, in a wide place.
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

/** The separate fields, and the order. Nothing here has a name or stands in a form: the browser can send it nowhere. */
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
  /** What the backend takes: the other fields are not there. */
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
          {...((field === "city" || field === "county") && { kept })}
          {...{ texts, listbox, onText, onKeyDown }}
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
            aria-label={order.descending ? "Last first; show the first first" : "First first; show the last first"}
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
