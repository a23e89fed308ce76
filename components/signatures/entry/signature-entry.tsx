"use client";

import { ChevronDown } from "lucide-react";
import { useEffect, useId, useLayoutEffect, useMemo, useState } from "react";
import { useScreenKeys } from "@/components/shell/screen-keys";
import { EntryResults } from "@/components/signatures/entry/entry-results";
import { hitId } from "@/components/signatures/entry/hit-id";
import { LineFields } from "@/components/signatures/entry/line-fields";
import { TotalsBar } from "@/components/signatures/entry/totals-bar";
import { type Entry, type EntryProps, useEntry } from "@/components/signatures/entry/use-entry";
import { VerdictBar } from "@/components/signatures/entry/verdict-bar";
import { SheetHead } from "@/components/signatures/sheets/sheet-head";
import { LineMark, SheetLines } from "@/components/signatures/sheets/sheet-lines";
import { StartSheet } from "@/components/signatures/sheets/start-sheet";
import { Button } from "@/components/ui/button";
import { lazyLoad } from "@/components/ui/lazy-load";
import { capitalized } from "@/lib/format/text";
import { verdictKeys } from "@/lib/signatures/entry/entry-keys";
import { placeText } from "@/lib/signatures/line-text";
import { cn } from "@/lib/utils";

const EntryDialogs = lazyLoad(async () => (await import("@/components/signatures/entry/entry-dialogs")).EntryDialogs, {
  whenIdle: true,
});
const OutboxList = lazyLoad(async () => (await import("@/components/signatures/entry/outbox-list")).OutboxList, {
  whenIdle: true,
});

/** Data entry: the sheet with its lines, and the form of one line, whose fields keep the focus. */
export function SignatureEntry(props: EntryProps) {
  const entry = useEntry(props);
  const { ready, form, lastName, listId, marked } = entry;
  const [isOpen, setOpen] = useState(false);

  // The fields appear with the sheet and get the focus, because what had it before is gone.
  const isEntering = ready && form.sheet !== null;
  useLayoutEffect(() => {
    const isTouch = window.matchMedia("(pointer: coarse)").matches;
    if (isEntering && !isTouch && document.activeElement === document.body) lastName.current?.focus();
  }, [isEntering, lastName]);
  useEffect(() => {
    if (marked !== null) document.getElementById(hitId(listId, marked))?.scrollIntoView({ block: "nearest" });
  }, [listId, marked]);
  useScreenKeys(
    useMemo(
      () => [
        { key: "/", does: "Go to the last name", run: () => lastName.current?.focus() },
        { key: "Enter", does: "Do what the first button says" },
        { key: "↑ ↓", does: "Mark a voter" },
        { key: "Page ↑ ↓", does: "Go to the previous or next line" },
        { key: "Esc", does: "Clear the names" },
        { key: "Ctrl ⇧ Enter", does: "Correct the chosen line, or the last one" },
        { key: "Ctrl ⇧ ⌫", does: "Bring back the line that was undone" },
        ...verdictKeys
          .filter(({ digit }) => digit !== null)
          .map(({ label, digit }) => ({ key: `Ctrl ⇧ ${digit}`, does: label.replace("…", "") })),
        { key: "Ctrl ⇧ 9", does: "Edit, close or change the sheet" },
      ],
      [lastName],
    ),
  );

  const folded = isOpen ? "" : "@max-3xl:hidden";
  return (
    <div className="@container flex flex-col">
      {form.sheet !== null && <SheetLine entry={entry} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />}
      <div className={cn(form.sheet !== null && folded)}>
        <TotalsBar entry={entry} />
        {form.sheet !== null && <SheetHead entry={entry} number={form.sheet} />}
      </div>
      {ready && form.sheet === null && <StartPanel entry={entry} />}
      {form.sheet !== null && (
        <div className="grid @3xl:grid-cols-[15rem_minmax(0,1fr)] border-b">
          <div className={cn("relative min-w-0", folded)}>
            <SheetLines entry={entry} number={form.sheet} />
          </div>
          <div className="flex min-w-0 flex-col">
            <LineFields entry={entry} folded={folded} />
            <EntryResults entry={entry} />
            <VerdictBar entry={entry} />
          </div>
        </div>
      )}
      {/* Not earlier: the draft would overwrite what is put back. */}
      {ready && <OutboxList entry={entry} />}
      <EntryDialogs entry={entry} />
    </div>
  );
}

// On a phone, where only the line has room next to the keyboard: the sheet in short with the last line, which opens the rest.
function SheetLine({
  entry: { form, context },
  isOpen,
  onToggle,
}: {
  entry: Entry;
  isOpen: boolean;
  onToggle: () => void;
}) {
  const last = context.last?.line == null ? undefined : context.lines.get(context.last.line);
  const { city, zip, county } = form.fields;
  const facts = [placeText(form), city, zip, county, form.signedOn].filter((text) => text.trim() !== "");
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      className="@3xl:hidden flex min-h-12 cursor-pointer items-center gap-2 border-b px-4 text-left text-sm"
      onClick={onToggle}
    >
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{capitalized(facts.join(" · "))}</span>
        {last && (
          <span className="flex items-center gap-1.5 text-muted-foreground">
            <LineMark line={last} />
            <span className="truncate">
              {last.line}: {[last.name, last.stateText].filter(Boolean).join(", ")}
            </span>
          </span>
        )}
      </span>
      <ChevronDown aria-hidden className={cn("size-4 shrink-0", isOpen && "rotate-180")} />
    </button>
  );
}

// Before a sheet is open: resume the last one or another, or start one.
function StartPanel({ entry: { form, context, last, sheets, circulators } }: { entry: Entry }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4 border-b px-4 py-4 md:px-6">
      <h2 id={id} className="font-semibold text-lg">
        Start a sheet
      </h2>
      <p role="status" className="text-sm empty:hidden">
        {form.message?.text}
      </p>
      {last && (
        <div>
          <Button autoFocus onClick={() => sheets.resume(last.sheet, last.line)}>
            Resume {placeText(last)}
          </Button>
        </div>
      )}
      <StartSheet
        autoFocus={last === null}
        circulators={circulators}
        today={context.today}
        sheets={sheets.open}
        onNext={sheets.next}
        onStart={sheets.start}
      />
    </section>
  );
}
