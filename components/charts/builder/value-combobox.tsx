"use client";

import { Autocomplete } from "@base-ui/react/autocomplete";
import { useId, useRef, useState } from "react";
import {
  askedText,
  isMissing,
  type Suggestion,
  useSuggestions,
  type ValueSource,
} from "@/components/charts/builder/use-suggestions";
import type { FieldProps } from "@/components/charts/builder/value-field";
import { useFormat } from "@/components/shell/format-provider";
import { Input } from "@/components/ui/input";
import { popupClass } from "@/components/ui/popup";
import { cn } from "@/lib/utils";

type Props = {
  text: string;
  from: ValueSource & { record: string; columnLabel: string };
  /** The text is only the beginning of values. */
  isBeginning: boolean;
  isNumber: boolean;
  onText: (text: string) => void;
  /** A complete value was chosen, or typed and entered. */
  onPick: (text: string) => void;
  placeholder: string | undefined;
  field: FieldProps;
};

/** A value of a column: typed, or chosen from existing ones with their counts. It may be one that no record has yet. */
export function ValueCombobox(props: Props) {
  const { text, from, isBeginning, isNumber, onText, onPick, placeholder, field } = props;
  const format = useFormat();
  const id = useId();
  const [isFocused, setFocused] = useState(false);
  const highlighted = useRef<Suggestion | undefined>(undefined);
  const found = useSuggestions(from, askedText(text, isNumber), isFocused || text !== "");
  // Nothing is missing while the beginning of an existing value is typed.
  const canBeMissing = !field["aria-invalid"] && (!isFocused || found?.length === 0);
  const column = from.columnLabel.toLowerCase();
  return (
    <div className="min-w-0 flex-1">
      <Autocomplete.Root
        mode="none"
        filter={null}
        openOnInputClick
        items={found ?? []}
        itemToStringValue={(suggestion: Suggestion) => suggestion.text}
        value={text}
        onValueChange={(next, { reason }) => {
          if (reason === "item-press") onPick(next);
          else if (reason !== "escape-key") onText(next);
        }}
        onItemHighlighted={(suggestion) => {
          highlighted.current = suggestion;
        }}
      >
        <Autocomplete.Input
          render={<Input />}
          {...field}
          aria-describedby={`${field["aria-describedby"]} ${id}-missing`}
          inputMode={isNumber ? "decimal" : undefined}
          placeholder={placeholder}
          maxLength={500}
          autoComplete="off"
          spellCheck={false}
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
            event.preventDefault(); // the chart is saved by its button
            if (!highlighted.current) onPick(text);
          }}
        />
        <Autocomplete.Portal>
          <Autocomplete.Positioner align="start" sideOffset={4} className="z-50">
            <Autocomplete.Popup
              className={cn(popupClass, "max-h-64 w-(--anchor-width) overflow-y-auto p-1 data-empty:hidden")}
            >
              <Autocomplete.List aria-label={`Values of ${from.columnLabel}`}>
                {(suggestion: Suggestion) => (
                  <Autocomplete.Item
                    key={suggestion.text}
                    value={suggestion}
                    className="flex min-h-8 cursor-pointer items-center gap-2 rounded-md px-2 data-highlighted:bg-muted pointer-coarse:min-h-11"
                  >
                    <span className="min-w-0 flex-1 truncate" title={suggestion.text}>
                      {suggestion.text}
                    </span>{" "}
                    <span className="shrink-0 text-muted-foreground text-xs tabular-nums">
                      {format.number(suggestion.count)}
                    </span>
                  </Autocomplete.Item>
                )}
              </Autocomplete.List>
            </Autocomplete.Popup>
          </Autocomplete.Positioner>
        </Autocomplete.Portal>
      </Autocomplete.Root>
      <p id={`${id}-missing`} role="status" className="text-warning text-xs empty:hidden">
        {canBeMissing &&
          isMissing(found, text, { isNumber, isBeginning }) &&
          `No ${from.record} has ${isBeginning ? `a ${column} that begins with` : `the ${column}`} “${text}”.`}
      </p>
    </div>
  );
}
