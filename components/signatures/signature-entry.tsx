"use client";

import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from "react";
import { useFormat } from "@/components/shell/format-provider";
import { useScreenKeys } from "@/components/shell/screen-keys";
import { type Entry, isLine, type LineWhat, type What } from "@/components/signatures/entry";
import { HitList, hitId } from "@/components/signatures/hit-list";
import { canUndo, LineActs } from "@/components/signatures/line-acts";
import { LineList, placeText } from "@/components/signatures/line-list";
import { ReasonDialog } from "@/components/signatures/reason-dialog";
import type { Outcome } from "@/components/signatures/send-entries";
import type { EntryActions } from "@/components/signatures/send-entry";
import { SheetFields } from "@/components/signatures/sheet-fields";
import { SheetsDialog } from "@/components/signatures/sheets-dialog";
import type { ShownLine } from "@/components/signatures/shown-lines";
import { StartSheet } from "@/components/signatures/start-sheet";
import { TotalsBar } from "@/components/signatures/totals-bar";
import { lineFields, type Paper, useDraft } from "@/components/signatures/use-draft";
import { useLines } from "@/components/signatures/use-lines";
import { VerdictBar, verdictKeys } from "@/components/signatures/verdict-bar";
import { WaitingNotice } from "@/components/signatures/waiting-notice";
import { withOwnLines } from "@/components/signatures/with-own-lines";
import { Kbd } from "@/components/ui/kbd";
import type { VoterSource } from "@/components/voters/ask-for-voters";
import { countText, spokenCount } from "@/components/voters/count-text";
import { NoVoter } from "@/components/voters/no-voter";
import { SearchFailed } from "@/components/voters/search-failed";
import { SearchProgress } from "@/components/voters/search-progress";
import { signedAtText } from "@/components/voters/signed-mark";
import { useSignedMarks } from "@/components/voters/use-signed-marks";
import { VoterInput } from "@/components/voters/voter-input";
import type { VoterField } from "@/components/voters/voter-query";
import { fullName, streetAndUnit } from "@/components/voters/voter-text";
import type { CampaignOfTeam } from "@/lib/ids";
import type { EntryState } from "@/lib/signatures/answers";
import { type Rejection, verdictWords } from "@/lib/signatures/verdicts";
import { cn } from "@/lib/utils";
import type { Voter } from "@/lib/voters/read-hit";

type Recorded = LineWhat | Extract<What, { kind: "typed" }>;

/** A sentence over the list of voters: what was just done, or why a key did nothing. */
type Said = { text: string; wrong?: boolean };

/**
 * The clerk's screen. The focus stays in the fields: arrows mark a voter, Enter accepts her, and the next line begins at
 * the last name. Letters act while the voters or the buttons below have the focus, never while someone types. Undo while
 * typing is Ctrl+Shift+Enter, which neither Chrome, Firefox nor Safari takes on Windows, macOS or Linux: Ctrl+Z belongs
 * to the text, Shift+Enter slips from a hand that types capitals, Ctrl+Enter is macOS's context menu.
 */
export function SignatureEntry({
  userId,
  place,
  source,
  initial,
  actions,
  children,
}: {
  userId: string;
  place: CampaignOfTeam;
  source: VoterSource;
  initial: EntryState;
  actions: EntryActions;
  /** What stands in place of the clerk's own last lines: those of a sheet that she looks at. */
  children?: ReactNode;
}) {
  const listId = useId();
  const area = useRef<HTMLDivElement>(null);
  const lastName = useRef<HTMLInputElement>(null);
  const hits = useRef<HTMLDivElement>(null);
  const verdictBar = useRef<HTMLDivElement>(null);
  const [marked, setMarked] = useState<{ answer: unknown; index: number }>({ answer: null, index: 0 });
  const [said, setSaid] = useState<Said | null>(null);
  const [open, setOpen] = useState<"sheets" | "reason" | null>(null);
  const [asked, setAsked] = useState(0);
  const [held, setHeld] = useState<string | null>(null);
  /** Where the form goes on after lines that were put back into it. */
  const goesOn = useRef<Paper | null>(null);
  const [closed, setClosed] = useState<number[]>([]);

  const draftName = `signet:draft:${userId}:${place.team}/${place.campaign}`;
  const { ready, texts, paper, change, searchNow, found, searching } = useDraft(draftName, source, area);

  const onOutcome = (entry: Entry, { outcome }: Outcome) => {
    if (!isLine(entry)) return setAsked((times) => times + 1);
    if (outcome !== "duplicate") return;
    setSaid({ wrong: true, text: `${nameOf(entry.what)} has signed already: the line is kept as a duplicate.` });
  };
  const work = useLines({ userId, place, initial, actions, onOutcome });
  const { state, lines, entries, waiting } = work;
  const format = useFormat();

  const page = found && "body" in found.answer ? found.answer.body : null;
  const failure = found && "error" in found.answer ? found.answer : null;
  const voters = page?.voters ?? [];
  const voterIds = voters.map(({ voterId }) => voterId);
  const served = useSignedMarks({ campaign: place.campaign, detailsFor: place.team }, voterIds, asked);
  const marks = useMemo(() => withOwnLines(served, lines), [served, lines]);

  // Each answer begins at its first voter.
  const active = marked.answer === found?.answer ? marked.index : 0;
  const voter = voters[active];
  const mark = voter && marks.get(voter.voterId);
  const undoable = lines.find(canUndo);

  const toLastName = () => lastName.current?.focus();
  const toVerdicts = () => verdictBar.current?.querySelector<HTMLElement>("[data-verdict=not-found]")?.focus();
  const move = (to: number) => {
    const index = Math.max(0, Math.min(voters.length - 1, to));
    setMarked({ answer: found?.answer, index });
    document.getElementById(hitId(listId, index))?.scrollIntoView({ block: "nearest" });
  };

  /** Puts a line back into the form, as it was typed; afterwards it goes on where it was. */
  const putBack = (entry: Entry, names: { lastName: string; firstName: string; houseNumber: string }) => {
    if (!("sheet" in entry.what && "line" in entry.what)) return;
    const { sheet, line } = entry.what;
    const signedOn = "signedOn" in entry.what ? (entry.what.signedOn ?? "") : paper.signedOn;
    if (goesOn.current === null && paper.sheet !== null) goesOn.current = paper;
    change({ sheet, line, signedOn, texts: names }); // first into the draft, which is kept as well
    work.discard(entry);
    setSaid({ text: `Sheet ${sheet}, line ${line}` });
    toLastName();
  };
  const lookUp = () => {
    const entry = entries.find(({ what }) => what.kind === "typed");
    if (entry?.what.kind !== "typed") return false;
    const { lastName, firstName, houseNumber } = entry.what;
    putBack(entry, { lastName, firstName, houseNumber });
    return true;
  };
  const nextLine = () => {
    if (goesOn.current !== null && navigator.onLine && lookUp()) return;
    change({
      ...(goesOn.current ?? { line: paper.line + 1 }),
      texts: { lastName: "", firstName: "", houseNumber: "" },
    });
    goesOn.current = null;
    toLastName();
  };
  const record = (what: Recorded) => {
    const { entry, kept } = work.record(what);
    if (kept) {
      setSaid({ text: `Line ${what.line}: ${[nameOf(what), afterName(what)].filter(Boolean).join(", ")}` });
      nextLine();
    } else {
      setHeld(entry.id);
      setSaid({
        wrong: true,
        text: "This browser cannot keep lines: its storage is full or switched off. The line stays in the form until Signet has it.",
      });
    }
  };
  /** Why no line can be recorded now, or null. */
  const obstacle = () => {
    if (paper.sheet === null) return "Start a sheet first: its number goes with each line.";
    return held === null ? null : "The line in the form is still being sent.";
  };

  const accept = () => {
    const blind = failure !== null || !navigator.onLine;
    if (searching && !blind) return searchNow(); // nobody accepts a voter whom she has not seen
    const names = {
      lastName: texts.lastName.trim(),
      firstName: texts.firstName.trim(),
      houseNumber: texts.houseNumber.trim(),
    };
    if (
      (searching || failure) &&
      blind &&
      paper.sheet !== null &&
      held === null &&
      Object.values(names).some(Boolean)
    ) {
      return record({
        kind: "typed",
        ...names,
        sheet: paper.sheet,
        line: paper.line,
        signedOn: paper.signedOn || null,
      });
    }
    const problem =
      obstacle() ?? (voter ? null : "No voter is marked. Type the last name, or press ↑ and then N: not found.");
    if (problem !== null || paper.sheet === null || !voter) return setSaid({ wrong: true, text: problem ?? "" });
    if (mark?.state === "signed") {
      const where = mark.at ? `: ${signedAtText(mark.at, format)}` : "";
      setSaid({
        wrong: true,
        text: `${listName(voter)} has signed already${where}. D records the line as a duplicate.`,
      });
      hits.current?.focus();
      return;
    }
    record({
      kind: "signature",
      voterId: voter.voterId,
      firstName: voter.firstName ?? null,
      lastName: voter.lastName ?? null,
      address: [voter.houseNumber, streetAndUnit(voter)].filter(Boolean).join(" ") || null,
      city: voter.city ?? null,
      county: voter.county ?? null,
      zip: voter.zip ?? null,
      sheet: paper.sheet,
      line: paper.line,
      signedOn: paper.signedOn || null,
    });
  };

  const reject = (verdict: Rejection, note: string | null = null) => {
    const problem = obstacle();
    if (problem !== null || paper.sheet === null) return setSaid({ wrong: true, text: problem ?? "" });
    if (verdict === "other" && note === null) return setOpen("reason");
    const duplicate = verdict === "duplicate";
    if (duplicate && !voter) return setSaid({ wrong: true, text: "Mark the voter who has signed already." });
    if (duplicate && voter && mark?.state === "not-signed") {
      return setSaid({ wrong: true, text: `${listName(voter)} has not signed yet. Enter accepts the line.` });
    }
    const typed = lineFields
      .map((field) => texts[field].trim())
      .filter(Boolean)
      .join(", ");
    record({
      kind: "rejected",
      verdict,
      voterId: duplicate && voter ? voter.voterId : null,
      name: (duplicate && voter ? listName(voter) : typed) || null,
      note,
      sheet: paper.sheet,
      line: paper.line,
      signedOn: paper.signedOn || null,
    });
  };

  const undo = (line: ShownLine) => {
    work.record({ kind: "undo", of: line.id });
    setSaid({ text: `Undone: ${placeText(line)}${line.name && `, ${line.name}`}` });
    if (line.sheet === paper.sheet && line.line === paper.line - 1) change({ line: paper.line - 1 });
  };
  const undoLast = () => (undoable ? undo(undoable) : setSaid({ wrong: true, text: "There is no line to undo." }));

  /** What stands in the form is not lost for another line. */
  const isFree = () => {
    const free = lineFields.every((field) => texts[field].trim() === "");
    if (!free) setSaid({ wrong: true, text: "Finish the line in the form first, or clear it with Esc." });
    return free;
  };
  const startLookUp = () => {
    if (isFree()) lookUp();
  };
  const correct = (entry: Entry) => {
    if (!isFree()) return;
    const { what } = entry;
    if (what.kind === "typed") return putBack(entry, what);
    const [lastName, firstName] = what.kind === "signature" ? [what.lastName, what.firstName] : [null, null];
    putBack(entry, { lastName: lastName ?? "", firstName: firstName ?? "", houseNumber: "" });
  };

  const onSheet = (sheet: number, line: number) => {
    change({ sheet, line });
    setClosed((numbers) => numbers.filter((number) => number !== sheet));
    setSaid({ text: `Sheet ${sheet}, line ${line}` });
    toLastName();
  };
  const startSheet = async (number: number | null) => {
    const started = await work.openSheet(number);
    if ("error" in started) return started.error;
    if ("sheet" in started) {
      onSheet(started.sheet.number, Math.max(started.sheet.nextLine, lineAfter(lines, started.sheet.number)));
      work.refresh();
      return null;
    }
    if (number === null)
      return "There is no answer from Signet. Type the number of the sheet to start it all the same.";
    work.record({ kind: "open-sheet", sheet: number });
    onSheet(number, lineAfter(lines, number));
    return null;
  };
  const closeSheet = (number: number) => {
    work.record({ kind: "close-sheet", sheet: number });
    setClosed((numbers) => [...numbers, number]);
    setSaid({ text: `Sheet ${number} is closed.` });
    if (paper.sheet === number) change({ sheet: null, line: 1 });
  };

  // A line that the browser could not keep has arrived, or never will: the form is free again.
  const waitsFor = held === null ? undefined : entries.find(({ id }) => id === held);
  const arrived = held !== null && waitsFor === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it has left the device
  useEffect(() => {
    if (waitsFor?.refused) setHeld(null);
    if (!arrived) return;
    setHeld(null);
    setSaid(null);
    nextLine();
  }, [arrived, waitsFor?.refused]);

  useEffect(() => {
    const isTouch = window.matchMedia("(pointer: coarse)").matches;
    if (ready && !isTouch && document.activeElement === document.body) lastName.current?.focus();
  }, [ready]);

  const searchAgain = () => failure && searchNow();
  const latest = useRef({ undoLast, startLookUp, searchAgain });
  useEffect(() => {
    latest.current = { undoLast, startLookUp, searchAgain };
  });
  useEffect(() => {
    const onOnline = () => latest.current.searchAgain();
    window.addEventListener("online", onOnline);
    return () => window.removeEventListener("online", onOnline);
  }, []);
  useScreenKeys(
    useMemo(
      () => [
        { key: "/", does: "Go to the last name", run: () => lastName.current?.focus() },
        { key: "↑ ↓", does: "Mark a voter, without leaving the field" },
        { key: "Enter", does: "Accept the marked voter" },
        { key: "Esc", does: "Clear the names; back to the last name" },
        { key: "Ctrl Shift Enter", does: "Undo the last line, also while typing" },
        { key: "U", does: "Undo the last line", run: () => latest.current.undoLast() },
        { key: "L", does: "Look up the lines kept as typed", run: () => latest.current.startLookUp() },
        { key: "S", does: "Sheets: start, resume, close", run: () => setOpen("sheets") },
        { key: "↑", does: "At the first voter: go to the letters below" },
        ...verdictKeys.map(({ key, label }) => ({ key: key.toUpperCase(), does: label.replace("…", "") })),
      ],
      [],
    ),
  );

  const onFieldKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing || event.metaKey || event.altKey) return;
    if (event.ctrlKey && event.shiftKey && event.key === "Enter") {
      event.preventDefault();
      return undoLast();
    }
    if (event.ctrlKey || event.shiftKey) return;
    const acts: Record<string, () => void> = {
      ArrowDown: () => (active < voters.length - 1 ? move(active + 1) : toVerdicts()),
      ArrowUp: () => (active > 0 ? move(active - 1) : toVerdicts()),
      Enter: accept,
      Escape: () => {
        change({ texts: { lastName: "", firstName: "", houseNumber: "" } });
        setSaid(null);
        toLastName();
      },
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };

  const onVoterKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey && event.shiftKey && event.key === "Enter") {
      event.preventDefault();
      return undoLast();
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLElement && event.target.closest("input, dialog, form")) return;
    const onList = event.target === hits.current;
    const verdict = verdictKeys.find(({ key }) => key === event.key.toLowerCase())?.verdict;
    const acts: Record<string, (() => void) | undefined> = {
      ArrowDown: () => move(onList ? active + 1 : active),
      ArrowUp: () => move(onList ? active - 1 : active),
      Escape: toLastName,
      Enter: onList ? accept : undefined, // a button does what it says
    };
    const act = verdict ? () => reject(verdict) : acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
    if (event.key.startsWith("Arrow")) hits.current?.focus();
  };

  const setText = (field: VoterField, text: string) => {
    setSaid(null);
    change({ texts: { [field]: text } }, { typed: true });
  };
  const listbox = voters.length > 0 ? { id: listId, activeId: hitId(listId, active) } : null;
  const shared = { texts, popup: "listbox" as const, listbox, onText: setText, onKeyDown: onFieldKey };
  const act = (line: ShownLine) => (
    <LineActs line={line} onUndo={undo} onCorrect={correct} onResend={work.resend} onDiscard={work.discard} />
  );
  const sheets = state.sheets.filter(({ number }) => !closed.includes(number));

  return (
    <div ref={area} className="flex flex-col">
      <TotalsBar totals={work.totals} state={state} own />
      <div className="@container flex flex-col">
        <div className="flex flex-col gap-3 px-4 py-3 md:px-6">
          <SheetFields
            paper={paper}
            texts={texts}
            listbox={listbox}
            onPaper={change}
            onText={setText}
            onKeyDown={onFieldKey}
            onSheets={() => setOpen("sheets")}
          />
          <search
            aria-label="Voter of the line"
            className="grid @3xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)_7rem] grid-cols-[minmax(0,3fr)_minmax(0,2fr)_4.5rem] gap-2"
          >
            <VoterInput ref={lastName} field="lastName" {...shared} />
            <VoterInput field="firstName" {...shared} />
            <VoterInput field="houseNumber" {...shared} />
          </search>
        </div>
        <div className="flex min-h-12 @3xl:min-h-9 items-center gap-3 border-y px-4 py-1 text-sm md:px-6">
          <p role="status" className={cn("wrap-anywhere", said?.wrong && "text-warning")}>
            {said?.text}
          </p>
          {!said && found && page && page.totalHits > 0 && <p>{countText(found.query, page, format)}</p>}
          {searching && <SearchProgress />}
          <p
            aria-hidden
            className="@max-3xl:hidden ml-auto flex shrink-0 items-center gap-1.5 text-muted-foreground text-xs pointer-coarse:hidden"
          >
            <Kbd>↑</Kbd>
            <Kbd>↓</Kbd> mark <Kbd>⏎</Kbd> accept <Kbd>?</Kbd> keys
          </p>
        </div>
        <p role="status" className="sr-only">
          {found && page && !searching && spokenCount(found.query, page, format)}
        </p>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the list and the buttons in it */}
        <div onKeyDown={onVoterKey}>
          <div
            aria-busy={searching}
            className={cn(
              "@3xl:h-54.25 h-57 overflow-y-auto border-b transition-opacity duration-100 @3xl:[@media(min-height:56rem)]:h-72.25",
              searching && voters.length > 0 && "opacity-60 delay-300",
            )}
          >
            {ready && paper.sheet === null && (
              <div className="flex flex-col gap-3 px-4 py-3 md:px-6">
                <h2 className="font-semibold text-lg">Start with a sheet</h2>
                <StartSheet autoFocus onStart={startSheet} />
              </div>
            )}
            {paper.sheet !== null && (
              <>
                {failure && !searching && (
                  <>
                    <SearchFailed failure={failure} onRetry={searchNow} />
                    <p className="px-4 text-muted-foreground">
                      Enter keeps the line as you typed it, to be looked up when the search is back.
                    </p>
                  </>
                )}
                {found && voters.length > 0 && (
                  <HitList
                    ref={hits}
                    id={listId}
                    voters={voters}
                    texts={found.query.texts}
                    marks={marks}
                    active={active}
                    onMark={move}
                  />
                )}
                {!searching && found && page?.totalHits === 0 && (
                  <NoVoter texts={found.query.texts} onLeaveOut={(field) => setText(field, "")} />
                )}
                {!searching && !found && <FirstStep />}
              </>
            )}
          </div>
          <VerdictBar
            ref={verdictBar}
            canUndo={undoable !== undefined}
            onAccept={accept}
            onVerdict={reject}
            onUndo={undoLast}
          />
        </div>
      </div>
      <WaitingNotice
        title={children ? "" : "Your last lines"}
        entries={entries}
        waiting={waiting}
        onLookUp={startLookUp}
        signInAt={`/login?next=/${place.team}/campaign/${place.campaign}/signatures`}
      />
      {children ?? <LineList label="Your last lines" lines={lines} act={act} />}
      {!children && lines.length === 0 && (
        <p className="px-4 py-4 text-muted-foreground md:px-6">
          The lines that you enter stand here, the newest first.
        </p>
      )}
      {open === "reason" && (
        <ReasonDialog
          onReason={(reason) => reject("other", reason)}
          onClose={() => {
            setOpen(null);
            toLastName();
          }}
        />
      )}
      {open === "sheets" && (
        <SheetsDialog
          sheets={sheets}
          current={paper.sheet}
          place={place}
          onStart={startSheet}
          onCloseSheet={closeSheet}
          onDone={() => {
            setOpen(null);
            toLastName();
          }}
        />
      )}
    </div>
  );
}

function FirstStep() {
  return (
    <div className="flex max-w-2xl flex-col gap-2 px-4 py-3 leading-6 md:px-6">
      <h2 className="font-semibold text-lg">Type the last name on the line</h2>
      <p className="text-muted-foreground">
        A few letters are often enough; Tab goes on to the first name and the house number. Enter accepts the marked
        voter, and the next line begins. City, zip, county and day stay from line to line.
      </p>
    </div>
  );
}

const listName = (voter: Voter) =>
  [voter.lastName, [voter.firstName, voter.middleName].filter(Boolean).join(" ")].filter(Boolean).join(", ") ||
  fullName(voter);

const nameOf = (what: Recorded) =>
  (what.kind === "rejected" ? what.name : [what.lastName, what.firstName].filter(Boolean).join(", ")) || "no name";

function afterName(what: Recorded) {
  if (what.kind === "rejected") return verdictWords[what.verdict];
  return what.kind === "typed" ? "kept as typed" : "";
}

/** The line after the last one that this device knows of a sheet. */
const lineAfter = (lines: readonly ShownLine[], sheet: number) =>
  Math.max(0, ...lines.filter((one) => one.sheet === sheet && one.state !== "undone").map(({ line }) => line ?? 0)) + 1;
