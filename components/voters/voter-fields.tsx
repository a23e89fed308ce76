"use client";

import { ArrowDownNarrowWide, ArrowDownWideNarrow, ChevronDown, X } from "lucide-react";
import { type KeyboardEvent, type Ref, useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { VoterInput, type VoterListbox } from "@/components/voters/voter-input";
import { cn } from "@/lib/utils";
import {
  columnNames,
  type VoterField,
  type VoterOrder,
  type VoterTexts,
  voterColumns,
  voterFields,
} from "@/lib/voters/voter-query";

/**
 * The row of fields. On a phone the last four stand behind a button, so that results show above the keyboard; what
 * is in them stays visible. Nothing here has a name or stands in a form: the browser can send it nowhere.
 */
export function VoterFields({
  ref,
  texts,
  order,
  listbox,
  onText,
  onOrder,
  onKeyDown,
}: {
  /** The last name. */
  ref: Ref<HTMLInputElement>;
  texts: VoterTexts;
  order: VoterOrder;
  listbox: VoterListbox | null;
  onText: (field: VoterField, text: string) => void;
  onOrder: (order: VoterOrder) => void;
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
}) {
  const id = useId();
  const [more, setMore] = useState(false);
  const shared = { texts, popup: "grid" as const, listbox, onText, onKeyDown };
  const hidden = (["zip", "city", "county"] as const).filter((field) => texts[field].trim() !== "");

  return (
    <search
      aria-label="Voters"
      className="grid @3xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)_5rem_5.5rem_minmax(0,2fr)_minmax(0,2fr)_10rem] @lg:grid-cols-4 grid-cols-2 gap-2"
    >
      <VoterInput ref={ref} field="lastName" {...shared} />
      <VoterInput field="firstName" {...shared} />
      <VoterInput field="houseNumber" {...shared} />
      <Button
        variant="ghost"
        aria-expanded={more}
        aria-controls={`${id}-more`}
        className="@3xl:hidden justify-between self-end px-2 text-muted-foreground"
        onClick={() => setMore(!more)}
      >
        {more ? "Fewer fields" : "More fields"}
        <ChevronDown aria-hidden className={cn("transition-transform duration-100", more && "rotate-180")} />
      </Button>
      {!more && hidden.length > 0 && (
        <div className="@3xl:hidden col-span-full flex flex-wrap gap-2">
          {hidden.map((field) => (
            <Button
              key={field}
              variant="outline"
              aria-label={`Clear the ${voterFields[field].toLowerCase()} ${texts[field]}`}
              className="min-w-0 max-w-full shrink bg-primary-soft px-2.5 font-normal"
              onClick={() => onText(field, "")}
            >
              <span className="truncate">{texts[field]}</span>
              <X aria-hidden />
            </Button>
          ))}
        </div>
      )}
      <div id={`${id}-more`} className={cn("contents", !more && "@max-3xl:hidden")}>
        <VoterInput field="zip" inputMode="numeric" {...shared} />
        <VoterInput field="city" kept="Kept on this device until you clear it" {...shared} />
        <VoterInput field="county" kept="Kept on this device until you clear it" {...shared} />
        <div className="flex min-w-0 flex-col gap-1">
          <label htmlFor={`${id}-order`} className="text-muted-foreground text-xs">
            Order
          </label>
          <div className="flex gap-1">
            <select
              id={`${id}-order`}
              value={order.column}
              onChange={(event) => {
                const column = columnNames.find((name) => name === event.target.value);
                if (column) onOrder({ column, descending: false });
              }}
              className="h-8 min-w-0 flex-1 rounded-md border border-input bg-background px-1.5 text-base pointer-coarse:h-11 pointer-coarse:text-lg focus-visible:border-ring focus-visible:outline-offset-0"
            >
              {columnNames.map((column) => (
                <option key={column} value={column}>
                  {column === "houseNumber" ? voterFields.houseNumber : voterColumns[column]}
                </option>
              ))}
            </select>
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
    </search>
  );
}
