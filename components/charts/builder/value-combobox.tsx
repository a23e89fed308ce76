import { type KeyboardEvent, useId, useState } from "react";
import type { FieldProps } from "@/components/charts/builder/fields";
import {
  isMissing,
  suggestionPrefix,
  useSuggestions,
  type ValueSource,
} from "@/components/charts/builder/use-suggestions";
import { useFormat } from "@/components/shell/format-provider";
import { Input } from "@/components/ui/input";
import { withinSentence } from "@/lib/format/text";

type Props = {
  text: string;
  from: ValueSource & { record: string; columnLabel: string };
  /** The text is only the beginning of values. */
  isBeginning: boolean;
  isNumber: boolean;
  onText: (text: string) => void;
  /** Called for a value that was chosen, or typed and confirmed with Enter. */
  onPick: (text: string) => void;
  /** Values that are chosen already; the list stays open for more. */
  chosen: string[] | undefined;
  placeholder: string | undefined;
  field: FieldProps;
};

/**
 * A value of a column, typed or chosen from existing ones with their counts; also one that no record has yet. Not the library's
 * combobox, whose popup hides the rest of the page from screen readers.
 */
export function ValueCombobox({
  text,
  from,
  isBeginning,
  isNumber,
  onText,
  onPick,
  chosen,
  placeholder,
  field,
}: Props) {
  const format = useFormat();
  const id = useId();
  const [focused, setFocused] = useState(false);
  const [open, setOpen] = useState(false);
  const [marked, setMarked] = useState(-1);
  const known = useSuggestions(from, suggestionPrefix(text, isNumber), focused || text !== "");
  const options = ((open && known) || []).filter((option) => !chosen?.includes(option.text));
  // No warning while someone types the beginning of an existing value.
  const missing =
    !field["aria-invalid"] && (!focused || known?.length === 0) && isMissing(known, text, { isNumber, isBeginning });

  const column = withinSentence(from.columnLabel);
  // “king” means the only value that differs in its case, if no record has it as typed.
  const spelled = () => {
    if (isBeginning || isNumber || !known || known.some((option) => option.text === text)) return text;
    const [alike, ...others] = known.filter((option) => option.text.toLowerCase() === text.toLowerCase());
    return alike && others.length === 0 ? alike.text : text;
  };
  const setText = (next: string) => {
    setOpen(true);
    setMarked(-1);
    onText(next);
  };
  const pick = (next: string) => {
    setOpen(chosen !== undefined);
    setMarked(-1);
    onPick(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const last = options.length - 1;
    if (event.key === "ArrowDown") {
      setOpen(true);
      setMarked(marked >= last ? 0 : marked + 1);
    } else if (event.key === "ArrowUp") {
      setOpen(true);
      setMarked(marked <= 0 ? last : marked - 1);
    } else if (event.key === "Enter") pick(options[marked]?.text ?? spelled());
    else if (event.key === "Escape" && open) setOpen(false);
    else return;
    event.preventDefault(); // the chart is saved by its button
  };

  return (
    <div className="relative min-w-0 flex-1">
      <Input
        role="combobox"
        {...field}
        aria-describedby={`${field["aria-describedby"]} ${id}-missing`}
        aria-expanded={options.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={options[marked] && `${id}-${marked}`}
        aria-autocomplete="list"
        inputMode={isNumber ? "decimal" : undefined}
        placeholder={placeholder}
        maxLength={500}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onFocus={() => setFocused(true)}
        onClick={() => setOpen(true)}
        onBlur={() => {
          setFocused(false);
          setOpen(false);
          setMarked(-1);
          if (spelled() !== text) onText(spelled());
        }}
      />
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={`Values of ${from.columnLabel}`}
        hidden={options.length === 0}
        className="absolute inset-x-0 top-full z-10 mt-1 max-h-64 overflow-y-auto rounded-md border bg-popover p-1 shadow-popover"
      >
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: by keyboard in the field
          <div
            key={option.text}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === marked}
            onMouseDown={(event) => event.preventDefault()} // the focus stays in the field
            onClick={() => pick(option.text)}
            className="flex min-h-8 cursor-pointer items-center gap-2 rounded-md px-2 hover:bg-muted aria-selected:bg-primary-soft pointer-coarse:min-h-11"
          >
            <span className="min-w-0 flex-1 truncate" title={option.text}>
              {option.text}
            </span>{" "}
            <span className="shrink-0 text-muted-foreground text-xs tabular-nums">{format.number(option.count)}</span>
          </div>
        ))}
      </div>
      <p id={`${id}-missing`} role="status" className="text-warning text-xs empty:hidden">
        {missing &&
          `No ${from.record} has ${isBeginning ? `a ${column} that begins with` : `the ${column}`} “${text}.”`}
      </p>
    </div>
  );
}
