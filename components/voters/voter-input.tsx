import { X } from "lucide-react";
import { type KeyboardEvent, type Ref, useId } from "react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { cn } from "@/lib/utils";
import { type VoterField, type VoterTexts, voterFields } from "@/lib/voters/voter-query";

/** The list that the fields move through, and its row that Enter acts on. */
export type VoterListbox = { id: string; activeId: string | undefined };

/** The attributes of a field that moves through a list of voters, and that the browser doesn't fill or correct. */
export function comboboxOf(popup: "grid" | "listbox", listbox: VoterListbox | null) {
  return {
    role: "combobox",
    "aria-haspopup": popup,
    "aria-autocomplete": "list",
    "aria-expanded": listbox !== null,
    "aria-controls": listbox?.id,
    "aria-activedescendant": listbox?.activeId,
    enterKeyHint: "search",
    autoComplete: "off",
    autoCorrect: "off",
    autoCapitalize: "off",
    spellCheck: false,
  } as const;
}

/** A field of the search, which keeps the focus while its keys move through the voters below. */
export function VoterInput({
  ref,
  field,
  className,
  saved,
  texts,
  popup,
  listbox,
  inputMode,
  onText,
  onKeyDown,
}: {
  ref?: Ref<HTMLInputElement>;
  field: VoterField;
  className?: string;
  /** For a field that is saved between searches: how long, in a sentence. */
  saved?: string;
  texts: VoterTexts;
  popup: "grid" | "listbox";
  listbox: VoterListbox | null;
  inputMode?: "numeric";
  onText: (field: VoterField, text: string) => void;
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
}) {
  const id = useId();
  const isSaved = saved !== undefined && texts[field].trim() !== "";
  return (
    <div className={cn("flex min-w-0 flex-col gap-1", className)}>
      <label htmlFor={id} className="truncate text-muted-foreground text-xs">
        {voterFields[field]}
      </label>
      <div className="relative">
        <Input
          ref={ref}
          id={id}
          data-field={field}
          {...comboboxOf(popup, listbox)}
          aria-description={saved}
          value={texts[field]}
          maxLength={100}
          inputMode={inputMode}
          onChange={(event) => onText(field, event.target.value)}
          onKeyDown={onKeyDown}
          className={cn(isSaved && "bg-primary-soft pointer-coarse:pr-11 pr-8")}
        />
        {isSaved && (
          <Button
            variant="ghost"
            size="icon"
            aria-label={`Clear the ${voterFields[field].toLowerCase()}`}
            title={`${voterFields[field]}: ${saved}`}
            className="absolute top-0 right-0 text-muted-foreground hover:bg-transparent hover:text-foreground"
            onClick={() => {
              onText(field, "");
              document.getElementById(id)?.focus();
            }}
          >
            <X aria-hidden />
          </Button>
        )}
      </div>
    </div>
  );
}
