"use client";

import { useId, useMemo } from "react";
import { useScreenKeys } from "@/components/shell/screen-keys";
import { TotalsBar } from "@/components/signatures/entry/totals-bar";
import { type Entry, type EntryProps, useEntry } from "@/components/signatures/entry/use-entry";
import { StartSheet } from "@/components/signatures/sheets/start-sheet";
import { Button } from "@/components/ui/button";
import { lazyLoad } from "@/components/ui/lazy-load";
import { verdictKeys } from "@/lib/signatures/entry/entry-keys";
import { placeText } from "@/lib/signatures/line-text";

const OpenSheet = lazyLoad(async () => (await import("@/components/signatures/entry/open-sheet")).OpenSheet, {
  whenIdle: true,
});
const EntryDialogs = lazyLoad(async () => (await import("@/components/signatures/entry/entry-dialogs")).EntryDialogs, {
  whenIdle: true,
});
const OutboxList = lazyLoad(async () => (await import("@/components/signatures/entry/outbox-list")).OutboxList, {
  whenIdle: true,
});

/** Data entry: starts a sheet or shows the open one, and lists what isn't sent yet. */
export function SignatureEntry(props: EntryProps) {
  const entry = useEntry(props);
  const { ready, form, lastName } = entry;
  useScreenKeys(
    useMemo(
      () => [
        { key: "/", does: "Go to the last name", run: () => lastName.current?.focus() },
        { key: "Enter", does: "Press the first button" },
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

  return (
    <div className="@container flex flex-col">
      {form.sheet === null ? (
        <>
          <TotalsBar entry={entry} />
          {ready && <StartPanel entry={entry} />}
        </>
      ) : (
        <OpenSheet entry={entry} number={form.sheet} />
      )}
      {/* Not earlier: the draft would overwrite what is put back. */}
      {ready && <OutboxList entry={entry} />}
      <EntryDialogs entry={entry} />
    </div>
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
        dates={context}
        sheets={sheets.open}
        previous={sheets.left}
        onNext={sheets.next}
        onStart={sheets.start}
      />
    </section>
  );
}
