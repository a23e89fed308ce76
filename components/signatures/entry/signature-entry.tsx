"use client";

import { useEffect, useEffectEvent, useId, useMemo } from "react";
import { useScreenKeys } from "@/components/shell/screen-keys";
import { TotalsBar } from "@/components/signatures/entry/totals-bar";
import { type Entry, type EntryProps, useEntry } from "@/components/signatures/entry/use-entry";
import { StartSheet } from "@/components/signatures/sheets/start-sheet";
import { Button } from "@/components/ui/button";
import { lazyLoad } from "@/components/ui/lazy-load";
import { hasNames } from "@/lib/signatures/entry/entry-form";
import { verdictKeys } from "@/lib/signatures/entry/entry-keys";
import type { Sheet } from "@/lib/signatures/line";
import { placeText } from "@/lib/signatures/line-text";
import type { OpenedLine } from "@/lib/signatures/sheet-filter";

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
export function SignatureEntry({ opened = {}, ...props }: EntryProps & { opened?: OpenedLine }) {
  const entry = useEntry(props);
  useOpenedLine(entry, opened, props.initial.sheet);
  const { ready, form, lastName } = entry;
  useScreenKeys(
    useMemo(
      () => [
        { key: "/", does: "Go to the last name", run: () => lastName.current?.focus() },
        { key: "Enter", does: "Press the first button" },
        { key: "↑ ↓", does: "Select a voter" },
        { key: "Page ↑ ↓", does: "Go to the previous or next line" },
        { key: "Esc", does: "Clear the names" },
        { key: "Ctrl ⇧ Enter", does: "Correct the selected line, or the last one" },
        { key: "Ctrl ⇧ ⌫", does: "Redo the line that was undone" },
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

/** Goes to the line of the address once the draft is read. */
function useOpenedLine({ ready, form, sheets, dispatch }: Entry, { sheet, line }: OpenedLine, found: Sheet | null) {
  const open = useEffectEvent((number: number) => {
    history.replaceState(null, "", location.pathname);
    const say = (text: string) => dispatch({ type: "message", text, wrong: true });
    if (hasNames(form) || form.unsavedId !== null) return say("Finish or clear the line in the form first.");
    if (found?.number !== number) return say(`There is no sheet ${number}.`);
    if (found.closedAt !== null) return say(`Sheet ${number} is closed. Start it by its number to reopen it.`);
    sheets.resume(number, line ?? found.nextLine);
  });
  useEffect(() => {
    if (ready && sheet !== undefined) open(sheet);
  }, [ready, sheet]);
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
