"use client";

import { useEffect, useId, useLayoutEffect, useMemo } from "react";
import { useScreenKeys } from "@/components/shell/screen-keys";
import { EntryDialogs, type LineActions } from "@/components/signatures/entry/entry-dialogs";
import { EntryResults } from "@/components/signatures/entry/entry-results";
import { hitId } from "@/components/signatures/entry/hit-list";
import { LineFields } from "@/components/signatures/entry/line-fields";
import { OutboxList } from "@/components/signatures/entry/outbox-list";
import { StartPanel } from "@/components/signatures/entry/start-panel";
import { TotalsBar } from "@/components/signatures/entry/totals-bar";
import { useEntry } from "@/components/signatures/entry/use-entry";
import { VerdictBar } from "@/components/signatures/entry/verdict-bar";
import type { SheetActions } from "@/components/signatures/sheets/sheet-dialog";
import { SheetHead } from "@/components/signatures/sheets/sheet-head";
import { SheetLines } from "@/components/signatures/sheets/sheet-lines";
import type { VoterSource } from "@/components/voters/use-voter-search";
import type { CampaignOfTeam } from "@/lib/ids";
import type { EntryState } from "@/lib/signatures/answers";
import { hasNames } from "@/lib/signatures/entry/entry-form";
import { verdictKeys } from "@/lib/signatures/entry/entry-keys";
import { markedIndex, offer } from "@/lib/signatures/entry/offer";

/** The clerk's screen: the sheet with its lines, and the form of one line, whose fields keep the focus. */
export function SignatureEntry({
  userId,
  place,
  source,
  initial,
  circulators,
  mayRemove,
  actions,
}: {
  userId: string;
  place: CampaignOfTeam;
  source: VoterSource;
  initial: EntryState;
  /** Names to choose from. */
  circulators: readonly string[];
  /** Whether the clerk may remove lines of others. */
  mayRemove: boolean;
  actions: SheetActions & LineActions;
}) {
  const entry = useEntry({ userId, place, source, initial });
  const { ready, form, context, dispatch, lastName, lines, sheets, setDialog } = entry;
  const listId = useId();
  const marked = context.searching ? null : markedIndex(form, context);
  const current = form.line === null || hasNames(form) ? undefined : context.lines.get(form.line);
  const isFound = context.voters.length + context.similar.length > 0;
  const listbox =
    isFound && !current ? { id: listId, activeId: marked === null ? undefined : hitId(listId, marked) } : null;
  const here = new Map(lines.here.map(({ name, line }) => [line, name ?? "Someone"]));

  // The fields come with the sheet, and what had the focus before is gone then: the next key is meant for them.
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
        { key: "Ctrl ⇧ Enter", does: "Undo the last line" },
        ...verdictKeys.map(({ label }, index) => ({ key: `Ctrl ⇧ ${index + 1}`, does: label.replace("…", "") })),
        { key: "Ctrl ⇧ 9", does: "Edit, close or change the sheet" },
      ],
      [lastName],
    ),
  );

  return (
    <div className="@container flex flex-col">
      <TotalsBar totals={lines.totals} state={lines.state} own />
      {ready && form.sheet === null && <StartPanel entry={entry} circulators={circulators} />}
      {form.sheet !== null && (
        <>
          <SheetHead
            number={form.sheet}
            sheet={sheets.current}
            here={lines.here}
            onOpen={() => setDialog("show-sheet")}
          />
          <div className="grid @3xl:grid-cols-[15rem_minmax(0,1fr)] border-b">
            <div className="relative min-w-0">
              <SheetLines
                sheet={form.sheet}
                lines={context.lines}
                drawn={Math.max(lines.state.linesPerSheet, context.lineCount, form.line ?? 0, ...context.lines.keys())}
                current={form.line}
                here={here}
                onGo={(line) => dispatch({ type: "go", line })}
              />
            </div>
            <div className="flex min-w-0 flex-col">
              <LineFields ref={lastName} form={form} listbox={listbox} onEvent={dispatch} />
              <EntryResults entry={entry} listId={listId} marked={marked} current={current} />
              <VerdictBar offer={offer(form, context)} canUndo={context.last !== null} onEvent={dispatch} />
            </div>
          </div>
        </>
      )}
      {/* Not before: what is put back would be lost to the draft. */}
      {ready && <OutboxList entry={entry} removeLine={actions.removeLine} mayRemove={mayRemove} />}
      <EntryDialogs entry={entry} circulators={circulators} actions={actions} />
    </div>
  );
}
