import { Check } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Input } from "@/components/ui/input";
import { Combobox, ComboboxInput, ComboboxLink, ComboboxList } from "@/components/ui/popup/combobox";
import { Popover } from "@/components/ui/popup/popover";
import type { PopupProps } from "@/components/ui/popup/popup-button";
import { matchesWords } from "@/lib/format/text";

/** A place to switch to. Its note is at the right: `archived`. */
type SwitcherOption = { id: string; label: string; href: string; note?: string };

export type SwitcherContent = {
  /** What can be switched, in the singular: `team`. */
  what: string;
  current: string | undefined;
  options: SwitcherOption[];
  /** Under the list: the link to all of them. */
  children?: ReactNode;
};

/** The open list of a switcher: type to filter, arrows to choose, Enter to go. */
export function SwitcherPopup({ what, current, options, anchor, onClose, children }: SwitcherContent & PopupProps) {
  const [query, setQuery] = useState("");
  const matches = options.filter((option) => matchesWords(option.label, query));
  return (
    <Popover
      label={`Switch ${what}`}
      anchor={anchor}
      onClose={onClose}
      className="flex max-h-96 w-72 max-w-[calc(100vw-1rem)] flex-col overflow-hidden"
    >
      <Combobox query={query} onQuery={setQuery} options={matches}>
        <div className="border-b p-2">
          <ComboboxInput render={<Input />} aria-label={`Find a ${what}`} placeholder={`Find a ${what}`} />
        </div>
        <ComboboxList label={`Choose a ${what}`}>
          {(option: (typeof options)[number]) => (
            <ComboboxLink
              key={option.id}
              option={option}
              aria-current={option.id === current ? "true" : undefined}
              onClick={onClose}
            >
              <span className="min-w-0 flex-1 truncate">{option.label}</span>
              {option.note && <span className="shrink-0 text-muted-foreground text-xs">{option.note}</span>}
              {option.id === current && <Check aria-hidden className="size-4 shrink-0 text-primary" />}
            </ComboboxLink>
          )}
        </ComboboxList>
      </Combobox>
      <p role="status" className="not-empty:p-3 text-muted-foreground">
        {matches.length === 0 && (query ? `No ${what} matches “${query}.”` : `No ${what} to choose.`)}
      </p>
      {children && <div className="border-t p-1">{children}</div>}
    </Popover>
  );
}
