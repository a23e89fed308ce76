import { X } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";
import { IconButton } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { cn } from "@/lib/utils";
import { type SearchFields, type VoterField, voterFields } from "@/lib/voters/voter-query";
import { fieldWords } from "@/lib/voters/voter-text";

/** The list that the fields move through, and its active row. */
type VoterListbox = { id: string; activeId: string | undefined };

type SearchInputProps = Omit<ComponentProps<typeof Input>, "id"> & {
  label: string;
  popup: "grid" | "listbox";
  listbox: VoterListbox | null;
  onText: (text: string) => void;
  /** The button that empties the field. */
  clear: { label: string; title: string; onClear: () => void } | false;
  /** In the field, at the left. */
  icon?: ReactNode;
  /** Classes of the label and the field together. */
  boxClass?: string | undefined;
};

/** A field whose keys move through a list of voters, while it keeps the focus. The browser doesn't fill or correct it. */
export function SearchInput(props: SearchInputProps) {
  const { label, popup, listbox, onText, clear, icon, boxClass, className, ...input } = props;
  const id = useId();
  return (
    <div className={cn("flex min-w-0 flex-col gap-1", boxClass)}>
      <label htmlFor={id} className="truncate text-muted-foreground text-xs">
        {label}
      </label>
      <div className="relative">
        {icon}
        <Input
          id={id}
          role="combobox"
          aria-haspopup={popup}
          aria-autocomplete="list"
          aria-expanded={listbox !== null}
          aria-controls={listbox?.id}
          aria-activedescendant={listbox?.activeId}
          enterKeyHint="search"
          autoComplete="off"
          autoCorrect="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={(event) => onText(event.target.value)}
          className={cn(clear && "pr-8 pointer-coarse:pr-11", className)}
          {...input}
        />
        {clear && (
          <IconButton
            icon={X}
            label={clear.label}
            title={clear.title}
            className="absolute top-0 right-0 text-muted-foreground hover:bg-transparent hover:text-foreground"
            onClick={() => {
              clear.onClear();
              document.getElementById(id)?.focus();
            }}
          />
        )}
      </div>
    </div>
  );
}

type VoterInputProps = Omit<SearchInputProps, "label" | "clear" | "onText" | "boxClass"> & {
  field: VoterField;
  fields: SearchFields;
  /** For a field that is saved between searches: how long, in a sentence. */
  saved?: string;
  onText: (field: VoterField, text: string) => void;
};

/** One field of the voter search. A saved text is highlighted and can be cleared. */
export function VoterInput({ field, fields, saved, className, onText, ...input }: VoterInputProps) {
  const label = voterFields[field];
  const isSaved = saved !== undefined && fields[field].trim() !== "";
  return (
    <SearchInput
      {...input}
      label={label}
      data-field={field}
      aria-description={saved}
      value={fields[field]}
      maxLength={100}
      onText={(text) => onText(field, text)}
      clear={
        isSaved && {
          label: `Clear the ${fieldWords(field)}`,
          title: `${label}: ${saved}`,
          onClear: () => onText(field, ""),
        }
      }
      boxClass={className}
      className={isSaved ? "bg-primary-soft" : ""}
    />
  );
}
