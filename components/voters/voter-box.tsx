import { Search, X } from "lucide-react";
import { type KeyboardEvent, type Ref, useId } from "react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { comboboxOf, type VoterListbox } from "@/components/voters/voter-input";
import type { ExtraParam } from "@/lib/voters/voter-query";

/** The one field that takes names, address, zip and voter id. It has no name and stands in no form: nothing sends it. */
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
  /** What the backend takes: the label promises no more. */
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
        {extras.includes("voterId") ? `Name, ${where}, zip or voter id` : `Name, ${where} or zip`}
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
