"use client";

import { useEffect, useEffectEvent, useId, useMemo } from "react";
import { useScreenKeys } from "@/components/shell/screen-keys";
import { TotalsBar } from "@/components/signatures/entry/totals-bar";
import { type Entry, type EntryProps, useEntry } from "@/components/signatures/entry/use-entry";
import { Button } from "@/components/ui/button";
import { lazyLoad } from "@/components/ui/lazy-load";
import { hasNames } from "@/lib/signatures/entry/entry-form";
import { verdictKeys } from "@/lib/signatures/entry/entry-keys";
import { placeText } from "@/lib/signatures/line-text";
import type { CurrentSheet } from "@/lib/signatures/responses";
import type { OpenedLine } from "@/lib/signatures/sheet-filter";

const StartSheet = lazyLoad(async () => (await import("@/components/signatures/sheets/start-sheet")).StartSheet, {
  whenIdle: true,
});
const OpenSheet = lazyLoad(async () => (await import("@/components/signatures/entry/open-sheet")).OpenSheet, {
  whenIdle: true,
});
const EntryDialogs = lazyLoad(async () => (await import("@/components/signatures/entry/entry-dialogs")).EntryDialogs, {
  whenIdle: true,
});
const OutboxList = lazyLoad(async () => (await import("@/components/signatures/entry/outbox-list")).OutboxList, {
  whenIdle: true,
});

/** Data entry: starts a sheet or shows the open one, and lists what isn't sent yet. In an archived campaign only that list. */
export function SignatureEntry({ opened = {}, ...props }: EntryProps & { opened?: OpenedLine }) {
  const entry = useEntry(props);
  useOpenedLine(entry, opened, props.initial.sheet);
  const { ready, form, lastName, isArchived } = entry;
  useScreenKeys(
    useMemo(
      () =>
        isArchived
          ? []
          : [
              { key: "/", does: "Go to the last name", run: () => lastName.current?.focus() },
              { key: "Enter", does: "Press the main button" },
              { key: "↑ ↓", does: "Select a voter" },
              { key: "Page ↑ ↓", does: "Previous or next line, or 5 voters up or down in a list" },
              { key: "Ctrl+Shift+Space", does: "Go to the next empty line" },
              { key: "Esc", does: "Clear the names" },
              { key: "Ctrl+Shift+Enter", does: "Correct the selected line, or the previous one" },
              { key: "Ctrl+Shift+Backspace", does: "Restore the line you removed last" },
              ...verdictKeys.map(({ label, digit }) => ({ key: `Ctrl+Shift+${digit}`, does: label })),
              { key: "Ctrl+Shift+9", does: "Edit or close the sheet, or open another" },
            ],
      [isArchived, lastName],
    ),
  );

  return (
    <div className="@container flex flex-col">
      {isArchived ? null : form.sheet === null ? (
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

/** Goes to the line of the address once the draft is read; if its sheet is closed, asks first. */
function useOpenedLine(
  { ready, isArchived = false, form, sheets, dispatch, setDialog }: Entry,
  { sheet, line }: OpenedLine,
  found: CurrentSheet | null,
) {
  const open = useEffectEvent((number: number) => {
    history.replaceState(null, "", location.pathname);
    const say = (text: string) => dispatch({ type: "message", text, wrong: true });
    if (hasNames(form) || form.unsavedId !== null) return say("Enter this line first, or clear it.");
    if (found?.number !== number) return say(`There's no sheet ${number}.`);
    if (found.closedAt !== null) return setDialog({ reopen: found, line });
    sheets.resume(number, line ?? found.nextLine);
  });
  useEffect(() => {
    if (ready && sheet !== undefined && !isArchived) open(sheet);
  }, [ready, sheet, isArchived]);
}

// Before a sheet is open: resume the last one or another, or start one.
function StartPanel({ entry: { lastName, form, context, last, sheets, circulators } }: { entry: Entry }) {
  const id = useId();
  const name = [form.fields.lastName, form.fields.firstName].filter(Boolean).join(", "); // `Enter this voter`, or a draft
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4 border-b px-4 py-4 md:px-6">
      <h2 id={id} className="font-semibold text-lg">
        Start a sheet
      </h2>
      <p role="status" className="text-sm empty:hidden">
        {form.message?.text ?? (name && `Start or resume a sheet to enter ${name}.`)}
      </p>
      {last && (
        <div>
          <Button autoFocus onClick={() => sheets.resume(last.sheet, last.line)}>
            Resume {placeText(last)}
          </Button>
        </div>
      )}
      <StartSheet
        ref={lastName}
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
