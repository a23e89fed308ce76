"use client";

import { useEffect, useId, useLayoutEffect, useMemo } from "react";
import { useScreenKeys } from "@/components/shell/screen-keys";
import { EntryResults } from "@/components/signatures/entry/entry-results";
import { hitId } from "@/components/signatures/entry/hit-list";
import { LineFields } from "@/components/signatures/entry/line-fields";
import { TotalsBar } from "@/components/signatures/entry/totals-bar";
import { type Entry, type EntryProps, useEntry } from "@/components/signatures/entry/use-entry";
import { VerdictBar } from "@/components/signatures/entry/verdict-bar";
import { SheetHead } from "@/components/signatures/sheets/sheet-head";
import { SheetLines } from "@/components/signatures/sheets/sheet-lines";
import { StartSheet } from "@/components/signatures/sheets/start-sheet";
import { Button } from "@/components/ui/button";
import { later } from "@/components/ui/later";
import { verdictKeys } from "@/lib/signatures/entry/entry-keys";
import { placeText } from "@/lib/signatures/line-text";

const EntryDialogs = later(async () => (await import("@/components/signatures/entry/entry-dialogs")).EntryDialogs, {
  whenIdle: true,
});
const OutboxList = later(async () => (await import("@/components/signatures/entry/outbox-list")).OutboxList, {
  whenIdle: true,
});

/** Data entry: the sheet with its lines, and the form of one line, whose fields keep the focus. */
export function SignatureEntry(props: EntryProps) {
  const entry = useEntry(props);
  const { ready, form, lastName, listId, marked } = entry;

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
        ...verdictKeys.map(({ label }, index) => ({ key: `Ctrl ⇧ ${index + 1}`, does: label.replace("…", "") })),
        { key: "Ctrl ⇧ 9", does: "Edit, close or change the sheet" },
      ],
      [lastName],
    ),
  );

  return (
    <div className="@container flex flex-col">
      <TotalsBar entry={entry} />
      {ready && form.sheet === null && <StartPanel entry={entry} />}
      {form.sheet !== null && (
        <>
          <SheetHead entry={entry} number={form.sheet} />
          <div className="grid @3xl:grid-cols-[15rem_minmax(0,1fr)] border-b">
            <div className="relative min-w-0">
              <SheetLines entry={entry} number={form.sheet} />
            </div>
            <div className="flex min-w-0 flex-col">
              <LineFields entry={entry} />
              <EntryResults entry={entry} />
              <VerdictBar entry={entry} />
            </div>
          </div>
        </>
      )}
      {/* Not earlier: the draft would overwrite what is put back. */}
      {ready && <OutboxList entry={entry} />}
      <EntryDialogs entry={entry} />
    </div>
  );
}

// Before a sheet is open: resume the last one or another, or start one.
function StartPanel({ entry: { form, last, sheets, circulators } }: { entry: Entry }) {
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
      <StartSheet autoFocus={last === null} circulators={circulators} sheets={sheets.open} onStart={sheets.start} />
    </section>
  );
}
