"use client";

import { Search, UserSearch, X } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { Fragment, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { namedTargets } from "@/components/palette/named-targets";
import { rankTargets } from "@/components/palette/rank-targets";
import { usePlaces } from "@/components/shell/places-provider";
import { recentPages, rememberPage } from "@/components/shell/recent-pages";
import { useScreenKeys } from "@/components/shell/screen-keys";
import { nearestWith, type Target, targetsOf } from "@/components/shell/targets";
import { useLinkOptions } from "@/components/shell/use-link-options";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { restoreCaret } from "@/components/ui/restore-caret";
import { handSearch } from "@/components/voters/saved-search";
import { askSignet } from "@/lib/http/ask-signet";
import type { Names } from "@/lib/palette/answers";
import { cn } from "@/lib/utils";

const keys = [{ key: "Ctrl K", does: "Go to a page, person or chart" }];

/**
 * The way to everything that one may open, and to the search for voters: a button, and Ctrl+K (on a Mac ⌘K too) wherever
 * one is, unless a dialog is open. Esc leads back to where one was, with the caret.
 */
export function Palette({ className }: { className?: string }) {
  const { userId } = usePlaces();
  const pathname = usePathname();
  const [open, setOpen] = useState(false);
  useScreenKeys(keys);

  useEffect(() => rememberPage(userId, pathname), [userId, pathname]);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || event.ctrlKey === event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      if (!document.querySelector("dialog:modal")) setOpen(true);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);

  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className={cn(
          "flex h-8 cursor-pointer items-center gap-2 rounded-md px-2 text-muted-foreground hover:bg-muted hover:text-foreground pointer-coarse:h-11",
          className,
        )}
      >
        <Search aria-hidden className="mx-0.5 size-4 shrink-0" />
        <span className="flex-1 text-left">Go to…</span>
        <Kbd aria-hidden className="pointer-coarse:hidden">
          Ctrl K
        </Kbd>
      </button>
      {/* Not inside of the sidebar, which is closed on a phone. */}
      {open && createPortal(<PaletteDialog pathname={pathname} onClose={() => setOpen(false)} />, document.body)}
    </>
  );
}

// What was read last is there at once when the palette opens again, and read anew meanwhile.
let known: { userId: string; names: Names } | null = null;

function PaletteDialog({ pathname, onClose }: { pathname: string; onClose: () => void }) {
  const { userId, teams } = usePlaces();
  const dialog = useRef<HTMLDialogElement>(null);
  const [query, setQuery] = useState("");
  const [names, setNames] = useState(known?.userId === userId ? known.names : null);
  const [failed, setFailed] = useState(false);
  const [recent] = useState(() => recentPages(userId));

  useEffect(() => {
    dialog.current?.showModal();
    const asking = new AbortController();
    const read = async () => {
      const answer = await askSignet("/api/go", {
        query: "",
        schema: async () => (await import("@/lib/palette/answers")).namesAnswer,
        signal: asking.signal,
      });
      if (asking.signal.aborted) return;
      if ("body" in answer) {
        known = { userId, names: answer.body };
        setNames(answer.body);
      } else setFailed(true);
    };
    void read();
    return () => asking.abort();
  }, [userId]);

  const text = query.trim();
  const pages = targetsOf(teams);
  const named = names ? namedTargets(names, teams, pathname) : [];
  // Nothing typed: where one was, and what is near. People and charts would only be a long list.
  const offered = text === "" ? [...pages, ...named.filter(({ href }) => recent.includes(href))] : [...pages, ...named];
  const [voters] = nearestWith("voters.search", pages, pathname);
  const options: Option[] = rankTargets(offered, text, { pathname, recent }).map((target) => ({
    ...target,
    id: target.href,
  }));
  if (text !== "" && voters) {
    const label = `Search voters for “${text}”`;
    options.push({ ...voters, id: "search", label, icon: UserSearch, onPick: () => handSearch(text) });
  }
  const recents = text === "" ? options.filter(({ href }) => recent.includes(href)).length : 0;
  const { mark, field, listId, option: optionProps } = useLinkOptions(options);

  return (
    <dialog
      ref={dialog}
      aria-label="Go to"
      closedby="any"
      onClose={() => {
        onClose();
        restoreCaret();
      }}
      className="mx-auto mt-[12vh] mb-auto max-h-[min(28rem,80dvh)] w-140 max-w-[calc(100vw-1rem)] flex-col overflow-hidden rounded-md border bg-popover shadow-popover backdrop:bg-[oklch(0_0_0/0.4)] open:flex max-md:mt-2"
    >
      <div className="flex items-center gap-2 border-b py-1 pr-1 pl-4">
        <Search aria-hidden className="size-4 shrink-0 text-muted-foreground" />
        <input
          {...field}
          aria-label="Go to"
          maxLength={100}
          placeholder="Go to a page, person or chart"
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            mark(0);
          }}
          className="h-10 min-w-0 flex-1 bg-transparent text-lg placeholder:text-muted-foreground focus-visible:outline-none pointer-coarse:h-12"
        />
        <Button variant="ghost" size="icon" aria-label="Close" onClick={() => dialog.current?.close()}>
          <X aria-hidden />
        </Button>
      </div>
      <div
        id={listId}
        role="listbox"
        aria-label="Where to"
        className={cn("overflow-y-auto p-1", options.length === 0 && "hidden")}
      >
        {options.map((option, index) => (
          <Fragment key={option.id}>
            {recents > 0 && (index === 0 || index === recents) && (
              <p aria-hidden className="px-3 pt-2 pb-1 font-medium text-muted-foreground text-xs">
                {index === 0 ? "Recent" : "Pages and campaigns"}
              </p>
            )}
            <Link
              {...optionProps(option)}
              href={option.href}
              prefetch={false}
              title={`${option.label}, ${option.note}`}
              onClick={() => {
                dialog.current?.close();
                rememberPage(userId, option.href);
                option.onPick?.();
              }}
              className="flex h-9 items-center gap-2 rounded-md px-3 hover:bg-muted aria-selected:bg-primary-soft pointer-coarse:h-11"
            >
              <option.icon aria-hidden className="size-4 shrink-0 text-muted-foreground" />
              <span className="min-w-0 flex-1 truncate">{option.label}</span>
              <span className="min-w-0 max-w-[45%] shrink-0 truncate text-muted-foreground text-sm">{option.note}</span>
            </Link>
          </Fragment>
        ))}
      </div>
      <p role="status" className="not-empty:px-4 not-empty:py-3 text-muted-foreground text-sm">
        {failed && "Members and charts could not be read. Close this and try again."}
        {!failed && names === null && text !== "" && <span className="appear-late">Reading members and charts…</span>}
        {names && options.length === 0 && `Nothing that you can open matches “${text}”.`}
      </p>
    </dialog>
  );
}

type Option = Target & { id: string; onPick?: () => void };
