"use client";

import { Check, ChevronsUpDown } from "lucide-react";
import Link from "next/link";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useLinkOptions } from "@/components/shell/use-link-options";
import { Input } from "@/components/ui/input";
import { matchesWords } from "@/lib/format/text";
import { cn } from "@/lib/utils";

/** A place to switch to. Notes stand at the right: `archived`. */
export type SwitcherOption = { id: string; label: string; href: string; note?: string };

/**
 * A button with the current place, and a list of places to switch to: type to filter, arrows to choose, Enter to go. The
 * options are links, so that a new tab works too.
 */
export function Switcher({
  what,
  current,
  label,
  options,
  icon,
  children,
}: {
  /** What is switched, in the singular: `team`. */
  what: string;
  current: string | undefined;
  label: string;
  options: SwitcherOption[];
  icon?: ReactNode;
  /** Under the list: the way to all of them. */
  children?: ReactNode;
}) {
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState("");
  const shown = options.filter((option) => matchesWords(option.label, query));
  const { mark, field, listId, option: optionProps } = useLinkOptions(shown);

  const onToggle = (newState: string) => {
    if (newState !== "open") return;
    setQuery("");
    mark(
      Math.max(
        0,
        options.findIndex((option) => option.id === current),
      ),
    );
  };

  // The browser moves the focus as it opens the list, so that no letter is lost. On touch the keyboard would cover it.
  useEffect(() => {
    input.current?.toggleAttribute("autofocus", window.matchMedia("(pointer: fine)").matches);
  }, []);

  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-haspopup="listbox"
        title={label}
        className="flex h-8 w-full cursor-pointer items-center gap-2 rounded-md px-2 text-left hover:bg-muted pointer-coarse:h-11"
      >
        {icon}
        <span className="sr-only">{`Switch ${what}, now: `}</span>
        <span className={cn("min-w-0 flex-1 truncate", current ? "font-medium" : "text-muted-foreground")}>
          {label}
        </span>
        <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-muted-foreground" />
      </button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        onToggle={(event) => onToggle(event.newState)}
        className="popover-below-start m-0 max-h-96 w-72 max-w-[calc(100vw-1rem)] flex-col overflow-hidden rounded-md border bg-popover p-0 shadow-popover open:flex"
      >
        <div className="border-b p-2">
          <Input
            ref={input}
            {...field}
            aria-label={`Find a ${what}`}
            placeholder={`Find a ${what}`}
            value={query}
            onChange={(event) => {
              setQuery(event.target.value);
              mark(0);
            }}
          />
        </div>
        <div
          id={listId}
          role="listbox"
          aria-label={`Choose a ${what}`}
          className={cn("overflow-y-auto p-1", shown.length === 0 && "hidden")}
        >
          {shown.map((option) => (
            <Link
              key={option.id}
              {...optionProps(option)}
              href={option.href}
              prefetch={false}
              aria-current={option.id === current ? "true" : undefined}
              title={option.label}
              onClick={() => popover.current?.hidePopover()}
              className="flex h-8 items-center gap-2 rounded-md px-2 hover:bg-muted aria-selected:bg-muted pointer-coarse:h-11"
            >
              <span className="min-w-0 flex-1 truncate">{option.label}</span>
              {option.note && <span className="shrink-0 text-muted-foreground text-xs">{option.note}</span>}
              {option.id === current && <Check aria-hidden className="size-4 shrink-0 text-primary" />}
            </Link>
          ))}
        </div>
        <p role="status" className={cn("text-muted-foreground", shown.length === 0 && "px-3 py-3")}>
          {shown.length === 0 && (query ? `No ${what} matches “${query}”.` : `There is no ${what} to choose.`)}
        </p>
        {children && <div className="border-t p-1">{children}</div>}
      </div>
    </>
  );
}
