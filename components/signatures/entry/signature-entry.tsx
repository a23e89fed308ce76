"use client";

import { lazy, Suspense, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useFormat } from "@/components/shell/format-provider";
import { useScreenKeys } from "@/components/shell/screen-keys";
import { forgetPlace } from "@/components/signatures/entry/entry-draft";
import { HitList, hitId } from "@/components/signatures/entry/hit-list";
import { LineFields } from "@/components/signatures/entry/line-fields";
import { MoveLine } from "@/components/signatures/entry/move-line";
import { ReasonDialog } from "@/components/signatures/entry/reason-dialog";
import { SettleList } from "@/components/signatures/entry/settle-list";
import { StandingLine } from "@/components/signatures/entry/standing-line";
import { TotalsBar } from "@/components/signatures/entry/totals-bar";
import { useEntry } from "@/components/signatures/entry/use-entry";
import { VerdictBar } from "@/components/signatures/entry/verdict-bar";
import { WaitingNotice } from "@/components/signatures/entry/waiting-notice";
import { CloseSheet } from "@/components/signatures/sheets/close-sheet";
import type { SheetActions } from "@/components/signatures/sheets/sheet-dialog";
import { SheetHead } from "@/components/signatures/sheets/sheet-head";
import { SheetLines } from "@/components/signatures/sheets/sheet-lines";
import { StartSheet } from "@/components/signatures/sheets/start-sheet";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import type { VoterSource } from "@/components/voters/ask-for-voters";
import { countText, spokenCount } from "@/components/voters/count-text";
import { NoVoter } from "@/components/voters/no-voter";
import { SearchFailed } from "@/components/voters/search-failed";
import { SearchProgress } from "@/components/voters/search-progress";
import type { FormSubmit } from "@/lib/forms/form-state";
import type { CampaignOfTeam } from "@/lib/ids";
import type { EntryState } from "@/lib/signatures/answers";
import type { Paper } from "@/lib/signatures/changes";
import { hasNames } from "@/lib/signatures/entry/entry-form";
import { verdictKeys } from "@/lib/signatures/entry/entry-keys";
import { markedIndex, offer } from "@/lib/signatures/entry/offer";
import { closingReport, nextEmptyLine, type SheetLine } from "@/lib/signatures/entry/sheet-lines";
import { cn } from "@/lib/utils";

// After the page, which has to be small, and before it is asked for.
const loadSheetDialog = () => import("@/components/signatures/sheets/sheet-dialog");
const SheetDialog = lazy(async () => ({ default: (await loadSheetDialog()).SheetDialog }));

type Opened = "ask-reason" | "show-sheet" | "report" | { move: SheetLine };

/** What is done with stored lines and sheets; each needs the connection. */
export type EntryActions = SheetActions & {
  moveLine: FormSubmit;
  removeLine: FormSubmit;
};

/** The clerk's screen: the sheet as it lies before her, and the form of one line, whose fields keep the focus. */
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
  /** Whether she may remove others' lines. */
  mayRemove: boolean;
  actions: EntryActions;
}) {
  const listId = useId();
  const lastName = useRef<HTMLInputElement>(null);
  const [open, setOpen] = useState<Opened | null>(null);
  const [closed, setClosed] = useState<number[]>([]);
  const format = useFormat();
  const name = `signet:draft:${userId}:${place.team}/${place.campaign}`;
  const entry = useEntry({ ...{ name, userId, place, source, initial, lastName }, onOpen: setOpen });
  const { form, sight, work, atHand, dispatch, ready, last, found, page, failure } = entry;
  const isFound = sight.voters.length + sight.similar.length > 0;
  const busy = sight.searching || entry.lookingForSimilar;
  const { state, entries, waiting } = work;
  const offered = offer(form, sight);
  const marked = sight.searching ? null : markedIndex(form, sight);
  const standing = form.line === null || hasNames(form) ? undefined : sight.lines.get(form.line);
  const sheets = state.sheets.filter(({ number }) => !closed.includes(number));
  const register = `/${place.team}/campaign/${place.campaign}/signatures/register`;

  const begin = (sheet: number, line: number | null) => {
    setClosed((numbers) => numbers.filter((number) => number !== sheet));
    dispatch({ type: "begin", sheet, line, said: `Sheet ${sheet}${line === null ? "" : `, line ${line}`}` });
  };
  const startSheet = async (number: number | null, paper?: Paper) => {
    const started = await work.openSheet(number, paper);
    if ("error" in started) return started.error;
    if ("sheet" in started) {
      const { number, nextLine } = started.sheet;
      begin(number, Math.max(nextLine, lineAfter(work.own.standing, number)));
      work.refresh();
      return null;
    }
    if (number === null)
      return "There is no answer from Signet. Type the number of the sheet to start it all the same.";
    work.record({ kind: "open-sheet", sheet: number, ...(paper && { paper }) });
    begin(number, lineAfter(work.own.standing, number));
    return null;
  };
  const closeSheet = (number: number) => {
    work.record({ kind: "close-sheet", sheet: number });
    setClosed((numbers) => [...numbers, number]);
    forgetPlace(name);
    dispatch({ type: "begin", sheet: null, line: 1, said: `Sheet ${number} is closed.` });
  };
  const changed = (number: number | null, said: string) => {
    const { sheet } = form;
    if (number === null) forgetPlace(name);
    if (number !== sheet && sheet !== null) setClosed((numbers) => [...numbers, sheet]);
    dispatch(
      number === form.sheet ? { type: "say", text: said } : { type: "begin", sheet: number, line: form.line, said },
    );
    work.refresh();
  };
  const undo = (line: SheetLine) => {
    work.record({ kind: "undo", of: line.id });
    dispatch({ type: "say", text: `Undone: line ${line.line}${line.name && `, ${line.name}`}.` });
    lastName.current?.focus();
  };
  /** What stands in the form is not lost for another line. */
  const isFree = () => {
    if (!hasNames(form)) return true;
    dispatch({ type: "say", wrong: true, text: "Finish the line in the form first, or clear it with Esc." });
    return false;
  };

  // The fields come with the sheet, and what had the focus before is gone then: the next key is for them already.
  const isKeying = ready && form.sheet !== null;
  useLayoutEffect(() => {
    const isTouch = window.matchMedia("(pointer: coarse)").matches;
    if (isKeying && !isTouch && document.activeElement === document.body) lastName.current?.focus();
  }, [isKeying]);
  useEffect(() => {
    loadSheetDialog().catch(() => undefined); // it's tried again when it opens
  }, []);
  useEffect(() => {
    if (marked !== null) document.getElementById(hitId(listId, marked))?.scrollIntoView({ block: "nearest" });
  }, [listId, marked]);
  useScreenKeys(
    useMemo(
      () => [
        { key: "/", does: "Go to the last name", run: () => lastName.current?.focus() },
        { key: "Enter", does: "What the first button says" },
        { key: "↑ ↓", does: "Mark a voter" },
        { key: "Page ↑ ↓", does: "Go to the line before or after" },
        { key: "Esc", does: "Clear the names" },
        { key: "Ctrl ⇧ Enter", does: "Undo the last line" },
        ...verdictKeys.map(({ label }, index) => ({ key: `Ctrl ⇧ ${index + 1}`, does: label.replace("…", "") })),
        { key: "Ctrl ⇧ 9", does: "The sheet: its paper, number and end, or another one" },
      ],
      [],
    ),
  );

  const listbox =
    isFound && !standing ? { id: listId, activeId: marked === null ? undefined : hitId(listId, marked) } : null;
  const here = new Map(work.here.map(({ name, line }) => [line, name ?? "Somebody"]));
  const drawn = Math.max(state.linesPerSheet, sight.count, form.line ?? 0, ...sight.lines.keys());

  return (
    <div className="@container flex flex-col">
      <TotalsBar totals={work.totals} state={state} own />
      {ready && form.sheet === null && (
        <section aria-labelledby={`${listId}-start`} className="flex flex-col gap-4 border-b px-4 py-4 md:px-6">
          <h2 id={`${listId}-start`} className="font-semibold text-lg">
            Start with a sheet
          </h2>
          <p role="status" className="text-sm empty:hidden">
            {form.said?.text}
          </p>
          {last && (
            <div>
              <Button autoFocus onClick={() => begin(last.sheet, last.line)}>
                Resume {last.sheet}
                {last.line !== null && `, line ${last.line}`}
              </Button>
            </div>
          )}
          <StartSheet autoFocus={last === null} circulators={circulators} onStart={startSheet} />
          {sheets.length > 0 && (
            <ul aria-label="Open sheets" className="flex flex-wrap gap-2">
              {sheets.map(({ number, mine, openedBy, lines }) => (
                <li key={number}>
                  <Button variant="outline" className="font-normal" onClick={() => startSheet(number)}>
                    Resume {number}
                    <span className="text-muted-foreground">
                      {format.count(lines, "line")} · {mine ? "you" : (openedBy ?? "nobody")}
                    </span>
                  </Button>
                </li>
              ))}
            </ul>
          )}
        </section>
      )}
      {form.sheet !== null && (
        <>
          <SheetHead number={form.sheet} sheet={atHand} here={work.here} onOpen={() => setOpen("show-sheet")} />
          <div className="grid @3xl:grid-cols-[15rem_minmax(0,1fr)] border-b">
            <div className="relative min-w-0">
              <SheetLines
                sheet={form.sheet}
                lines={sight.lines}
                drawn={drawn}
                current={form.line}
                here={here}
                onGo={(line) => dispatch({ type: "go", line })}
              />
            </div>
            <div className="flex min-w-0 flex-col">
              <LineFields ref={lastName} form={form} listbox={listbox} onEvent={dispatch} />
              <div className="flex min-h-12 @3xl:min-h-9 items-center gap-3 border-y px-4 py-1 text-sm md:px-6">
                <div className="min-w-0">
                  <p role="status" className={cn("wrap-anywhere", form.said?.wrong && "text-warning")}>
                    {form.said?.text}
                  </p>
                  {!form.said && !standing && found && page && page.totalHits > 0 && (
                    <p>{countText(found.query, page, format)}</p>
                  )}
                </div>
                {busy && <SearchProgress />}
                <p
                  aria-hidden
                  className="@max-3xl:hidden ml-auto flex shrink-0 items-center gap-1.5 text-muted-foreground text-xs pointer-coarse:hidden"
                >
                  <Kbd>↑</Kbd>
                  <Kbd>↓</Kbd> mark <Kbd>?</Kbd> keys
                </p>
              </div>
              <p role="status" className="sr-only">
                {found && page && !busy && (
                  <>
                    {spokenCount(found.query, page, format)}
                    {sight.similar.length > 0 && ` ${format.count(sight.similar.length, "similar voter")}.`}
                  </>
                )}
              </p>
              <div
                aria-busy={sight.searching}
                className={cn(
                  "h-57 overflow-y-auto border-b transition-opacity duration-100 @3xl:h-72.25",
                  sight.searching && isFound && "opacity-60 delay-300",
                )}
              >
                {standing ? (
                  <StandingLine
                    line={standing}
                    register={register}
                    onUndo={undo}
                    onMove={(line) => setOpen({ move: line })}
                  />
                ) : (
                  <>
                    {failure && !sight.searching && (
                      <>
                        <SearchFailed failure={failure} onRetry={entry.searchAgain} />
                        <p className="px-4 text-muted-foreground md:px-6">
                          Enter keeps the line as you typed it, to be looked up when the search is back.
                        </p>
                      </>
                    )}
                    {found && isFound && (
                      <HitList
                        id={listId}
                        voters={sight.voters}
                        similar={sight.similar}
                        texts={found.query.texts}
                        marks={sight.marks}
                        marked={marked}
                        onMark={(index) => dispatch({ type: "mark", index })}
                      />
                    )}
                    {!busy && !isFound && found && page?.totalHits === 0 && (
                      <NoVoter
                        texts={found.query.texts}
                        onLeaveOut={(field) => dispatch({ type: "typed", field, text: "" })}
                      />
                    )}
                    {!sight.searching && !found && <FirstStep isFull={form.line === null} />}
                  </>
                )}
              </div>
              <VerdictBar offer={offered} canUndo={sight.last !== null} onEvent={dispatch} />
            </div>
          </div>
        </>
      )}
      {ready && ( // before, what is put back would be lost to what the form was left with
        <>
          <WaitingNotice
            entries={entries}
            waiting={waiting}
            onLookUp={() => isFree() && entry.lookUp()}
            signInAt={`/login?next=/${place.team}/campaign/${place.campaign}/signatures`}
          />
          <SettleList
            entries={entries}
            place={place}
            emptyLine={(sheet) =>
              sheet === form.sheet ? nextEmptyLine((line) => !sight.lines.has(line), sight.count, 0) : null
            }
            removal={actions.removeLine}
            mayRemove={mayRemove}
            onPutBack={(one) => isFree() && entry.putBack(one)}
            onResend={(one, line) => {
              if (line === undefined) return work.resend(one);
              work.discard(one);
              if ("line" in one.what) work.record({ ...one.what, line });
            }}
            onDiscard={work.discard}
          />
        </>
      )}
      {open === "ask-reason" && (
        <ReasonDialog
          onReason={(note) => dispatch({ type: "reason", note })}
          onClose={() => {
            setOpen(null);
            lastName.current?.focus();
          }}
        />
      )}
      {open === "report" && form.sheet !== null && (
        <CloseSheet
          number={form.sheet}
          report={closingReport(sight.lines, sight.count)}
          signatureCount={atHand?.signatureCount ?? null}
          onGo={(line) => dispatch({ type: "go", line })}
          onCloseSheet={() => form.sheet !== null && closeSheet(form.sheet)}
          onDone={() => setOpen((now) => (now === "report" ? null : now))}
        />
      )}
      {open === "show-sheet" && form.sheet !== null && (
        <Suspense>
          <SheetDialog
            number={form.sheet}
            sheet={atHand}
            isEmpty={sight.lines.size === 0}
            others={sheets.filter(({ number }) => number !== form.sheet)}
            place={place}
            circulators={circulators}
            actions={actions}
            onStart={startSheet}
            onChanged={changed}
            onReport={() => setOpen("report")}
            onDone={() => setOpen((now) => (now === "show-sheet" ? null : now))}
          />
        </Suspense>
      )}
      {typeof open === "object" && open !== null && form.sheet !== null && (
        <MoveLine
          line={open.move}
          sheet={form.sheet}
          place={place}
          action={actions.moveLine}
          onDone={(said) => changed(form.sheet, said)}
          onClose={() => {
            setOpen(null);
            lastName.current?.focus();
          }}
        />
      )}
    </div>
  );
}

function FirstStep({ isFull }: { isFull: boolean }) {
  return (
    <div className="flex max-w-2xl flex-col gap-2 px-4 py-3 leading-6 md:px-6">
      <h2 className="font-semibold text-lg">{isFull ? "No line is left to key" : "Type the last name on the line"}</h2>
      <p className="text-muted-foreground">
        {isFull
          ? "Enter reports what stands on the sheet and closes it. To see or change a line, go to it in the list."
          : "A few letters are often enough; Tab goes on to the first name and the house number. City, zip, county and day stay from line to line."}
      </p>
    </div>
  );
}

/** The line after the last one that this device knows of a sheet. */
const lineAfter = (lines: readonly { sheet: number | null; line: number | null }[], sheet: number) =>
  Math.max(0, ...lines.filter((one) => one.sheet === sheet).map(({ line }) => line ?? 0)) + 1;
