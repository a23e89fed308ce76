import { useEffect, useEffectEvent, useId, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useDebounced } from "@/components/forms/use-debounced";
import { useFormat } from "@/components/shell/format-provider";
import { useOnline } from "@/components/shell/use-online";
import { invalidateQueries } from "@/components/shell/use-query";
import { useDraft } from "@/components/signatures/entry/use-draft";
import { useLines } from "@/components/signatures/entry/use-lines";
import { useSheets } from "@/components/signatures/entry/use-sheets";
import { signedKey, useSignedMarks } from "@/components/voters/use-signed-marks";
import { useNearMatches, useVoterSearch, type VoterSource } from "@/components/voters/use-voter-search";
import { dayIn } from "@/lib/format/days";
import type { FormSubmit } from "@/lib/forms/form-state";
import type { CampaignOfTeam } from "@/lib/ids";
import { namesById, toFormFields } from "@/lib/signatures/entry/entered-line";
import { type EntryContext, type EntryForm, emptyForm, hasNames } from "@/lib/signatures/entry/entry-form";
import { alternativeReadings, searchQuery } from "@/lib/signatures/entry/entry-search";
import { markedIndex } from "@/lib/signatures/entry/marked-voter";
import { nextPlace } from "@/lib/signatures/entry/offer";
import { expectedLines, type ShownLine, withLineUndone, withOwnLines } from "@/lib/signatures/entry/shown-lines";
import type { EntryEffect, EntryEvent } from "@/lib/signatures/entry/step";
import { reduceWithTypeAhead } from "@/lib/signatures/entry/type-ahead";
import type { RenumberOutcome, Sheet } from "@/lib/signatures/line";
import { placeText } from "@/lib/signatures/line-text";
import { type Change, isLine, type OutboxItem } from "@/lib/signatures/outbox/outbox";
import { forgetPlace } from "@/lib/signatures/outbox/store";
import type { CurrentSheet, EntryState } from "@/lib/signatures/responses";
import { duplicateText } from "@/lib/signatures/signed-mark";
import type { Voter } from "@/lib/voters/read-hit";

/** What the entry screen and its parts share. */
export type Entry = ReturnType<typeof useEntry>;

type Dialog =
  | "ask-reason"
  | "ask-line"
  | "show-sheet"
  | "report"
  | { move: ShownLine }
  | { discard: OutboxItem }
  | { reopen: CurrentSheet; line: number | undefined };

const noVoters: readonly Voter[] = [];
const pauseMs = 600; // long enough to see a question
const idsOf = (voters: readonly Voter[]) => voters.map(({ voterId }) => voterId);

/** What can be done with sheets and stored lines; each needs the connection. */
type EntryActions = {
  saveSheetDetails: FormSubmit<Sheet>;
  renumberSheet: FormSubmit<RenumberOutcome>;
  deleteSheet: FormSubmit;
  moveLine: FormSubmit;
  removeLine: FormSubmit;
};

export type EntryProps = {
  userId: string;
  place: CampaignOfTeam;
  source: VoterSource;
  initial: EntryState;
  /** Names to choose from. */
  circulators: readonly string[];
  /** Whether the clerk may remove lines of others. */
  canRemove: boolean;
  /** Nothing can be entered in an archived campaign. */
  isArchived?: boolean;
  actions: EntryActions;
};

/** Connects the clerk's form and sheet to the screen: `reduceEntry` decides, this shows and sends. */
export function useEntry({ userId, place, source, initial, ...given }: EntryProps) {
  const format = useFormat();
  const lastName = useRef<HTMLInputElement>(null);
  const lineNumber = useRef<HTMLInputElement>(null);
  const [form, setForm] = useState(emptyForm);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const { ask, found, page, failure, isSearching } = useVoterSearch(source, {
    onBack: () => say("Voter search works again."),
  });
  const online = useOnline();

  const [undone, setUndone] = useState<ShownLine | null>(null); // the last line that was taken back
  const [reopened, setReopened] = useState<string | null>(null); // when the sheet was closed that is reopened here
  const wantsFocus = useRef(false);
  const focusedBefore = useRef<Element>(null);

  const allLines = useLines({
    userId,
    place,
    initial,
    at: form.sheet === null ? null : { sheet: form.sheet, line: form.line ?? 1 },
    onOutcome: (item, outcome) => {
      if (!isLine(item)) return invalidateQueries(signedKey);
      const { verdict, name, line } = item.change;
      if (outcome.outcome !== "duplicate" || verdict !== "accepted") return;
      say(`Line ${line}: ${duplicateText(name || "this voter", outcome.of, format)}`, true);
    },
    onRefused: ({ change }) =>
      change.kind === "line" && say(`Line ${change.line} isn't saved yet: see the list below.`, true),
  });
  const { outbox, state, otherClerks, contentOf, own, onSheet, totals } = allLines;

  const voters = page?.voters ?? noVoters;
  const similar = useNearMatches(source, found, isSearching);
  // Separate queries: the marks of the voters stay when near matches arrive.
  const check = { campaign: place.campaign, detailsTeamId: place.team };
  const marksOfVoters = useSignedMarks(check, idsOf(voters));
  const marksOfSimilar = useSignedMarks(check, idsOf(similar.voters));
  const marks = useMemo(
    () => withOwnLines(new Map([...marksOfSimilar, ...marksOfVoters]), withLineUndone(own, form.replaces)),
    [marksOfVoters, marksOfSimilar, own, form.replaces],
  );
  const lines = useMemo(
    () => new Map([...onSheet].filter(([, { id }]) => id !== form.replaces)),
    [onSheet, form.replaces],
  );
  const sheet = state.sheet?.number === form.sheet ? state.sheet : null;
  const closedAt = sheet && sheet.closedAt !== reopened ? sheet.closedAt : null;
  const context: EntryContext = {
    isSearching,
    searchDown: failure !== null || !online,
    voters,
    similar: similar.voters,
    total: page?.totalHits ?? 0,
    marks,
    lines,
    replaced: form.replaces === null ? null : contentOf(form.replaces),
    isClosed: closedAt !== null,
    lineCount: expectedLines(sheet?.signatureCount, { lines: onSheet, linesPerSheet: state.linesPerSheet }),
    last: own.live.find((line) => line.sheet === form.sheet) ?? null,
    today: dayIn(state.timeZone, new Date().toISOString()),
    startsOn: state.startsOn,
    endsOn: state.endsOn,
    collectedOn: sheet?.collectedOn ?? null,
    districts: state.districts,
    format,
  };

  // A key acts on what the screen shows at that moment, and on the results of earlier keys.
  const now = useRef({ form, context });
  useLayoutEffect(() => {
    now.current.context = context;
  });
  const dispatch = (event: EntryEvent) => {
    const before = now.current.form;
    const { form: after, effects } = reduceWithTypeAhead(before, event, now.current.context);
    now.current.form = after;
    setForm(after);
    const isSameVoter = after.fields.voterId !== "" && after.fields.voterId === before.fields.voterId;
    if (after.fields !== before.fields && !isSameVoter) search(after, event.type === "typed");
    for (const effect of effects) perform(effect, before);
  };
  const perform = (effect: EntryEffect, before: EntryForm) => {
    switch (effect.type) {
      case "record":
        return record(effect.change, before);
      case "focus":
        wantsFocus.current = before.sheet === null;
        focusedBefore.current = document.activeElement;
        return lastName.current?.focus();
      case "focus-back":
        return focusedBefore.current instanceof HTMLInputElement && focusedBefore.current.focus();
      case "search":
        return searchAgain();
      case "correct":
        return correct(effect.id);
      case "redo":
        return redo();
      case "ask-reopen":
        return sheet && setDialog({ reopen: sheet, line: undefined });
      case "next-typed":
        return void (navigator.onLine && putBackTyped());
      default:
        return setDialog(effect.type);
    }
  };
  // A waiting Enter, or a line with only an ID, continues once its results are on the screen; a full sheet, once a line is empty.
  const isLonger = sheet && form.line === null && nextPlace(form, context).line !== null;
  useLayoutEffect(() => {
    if (form.end !== null || isLonger || (!isSearching && namesById(form, context))) dispatch({ type: "answered" });
  });
  const { openQuestion } = form;
  useDebounced(
    openQuestion && !openQuestion.isSeen ? openQuestion.keys + 1 : null,
    () => dispatch({ type: "pause" }),
    pauseMs,
  );
  const say = (text: string, wrong?: boolean) => dispatch({ type: "message", text, wrong });
  const search = (form: EntryForm, typed = false) =>
    ask(searchQuery(form, source.extraParams), { typed, others: () => alternativeReadings(form, source.extraParams) });
  const searchAgain = () => search(now.current.form);
  const record = (change: Change, before: EntryForm) => {
    const { item, isSaved } = outbox.record(change);
    if (!isSaved && "line" in change) dispatch({ type: "not-saved", id: item.id, before });
  };

  /** Moves an item back into the form as it was typed, unless something else is typed there. */
  const putBack = (item: OutboxItem) => {
    const { change } = item;
    if (!("line" in change)) return;
    if (hasNames(now.current.form)) return say("Enter this line first, or clear it.", true);
    // First into the draft, which is saved too.
    dispatch({ type: "put-back", ...toFormFields(change) });
    outbox.discard(item);
  };
  /** Puts a stored line into the form; it stays stored until the correction is. */
  const correct = (id: string) => {
    const line = contentOf(id);
    if (line) dispatch({ type: "put-back", ...toFormFields(line), replaces: id });
    else say("You can no longer correct this line here. Correct it under All lines.", true);
  };
  const undo = (shown: ShownLine) => {
    const { id, line, name } = shown;
    setUndone(shown);
    outbox.record({ kind: "undo", of: id });
    say(`Removed: line ${line}${name && `, ${name}`}.`);
    lastName.current?.focus();
  };
  const redo = () => {
    if (!undone) return say("No removed line to restore.", true);
    const { id, sheet, line, name } = undone;
    const place = placeText(undone);
    if (sheet === form.sheet && onSheet.has(line ?? 0))
      return say(`Couldn't restore the line: ${place} is taken.`, true);
    setUndone(null);
    outbox.record({ kind: "restore", of: id });
    say(`Restored: ${[place, name].filter(Boolean).join(", ")}.`);
    lastName.current?.focus();
  };
  const typed = outbox.items.filter(({ change }) => change.kind === "typed");
  const putBackTyped = () => typed[0] && putBack(typed[0]);

  const draftName = `signet:draft:${userId}:${place.team}/${place.campaign}`;
  const { restored, forgetLast } = useDraft(draftName, form, (restored) => {
    now.current.form = restored;
    setForm(restored);
    search(restored);
  });

  // The line that the browser couldn't save is sent or refused: the form is free again.
  const unsaved = form.unsavedId === null ? null : outbox.items.find(({ id }) => id === form.unsavedId);
  const released = unsaved === undefined ? "arrived" : unsaved?.refused ? "refused" : null;
  const release = useEffectEvent((arrived: boolean) => dispatch({ type: "released", arrived }));
  useEffect(() => {
    if (released !== null) release(released === "arrived");
  }, [released]);

  const sheets = useSheets({
    place,
    circulators: given.circulators,
    form,
    lines: allLines,
    closedAt,
    onBegin: (sheet, line, text, isRenumbered) => {
      forgetLast();
      setUndone(null);
      setDialog(null); // of the previous sheet
      dispatch({ type: "begin", sheet, line, text, isRenumbered });
    },
    onClosed: () => forgetPlace(draftName),
    onReopened: setReopened,
    say,
  });

  return {
    ...given,
    /** The id of the list of voters, and the position in it of the one that Enter acts on. */
    listId: useId(),
    marked: isSearching ? null : markedIndex(form, context),
    /** The line that the clerk selected, unless something is typed. */
    current: form.line === null || hasNames(form) ? undefined : onSheet.get(form.line),
    /** False until the draft of this tab is read. */
    ready: restored !== null,
    last: restored?.last ?? null,
    place,
    form,
    context,
    dispatch,
    /** Like `dispatch`, but no event before or after it is ignored, because the person sees the screen. */
    click: (event: EntryEvent) => {
      for (const one of [{ type: "look" } as const, event, { type: "look" } as const]) dispatch(one);
    },
    /** The field that has the focus while entering; before a sheet is open, the sheet's number. */
    lastName,
    lineNumber,
    /** Whether the last name gets the focus as soon as it is shown, also on a phone: the person has just started the sheet. */
    wantsFocus,
    search: { found, page, failure, busy: isSearching || similar.isSearching, again: searchAgain },
    lines: { state, totals, otherClerks },
    outbox: { ...outbox, putBack, putBackTyped },
    sheets,
    undo,
    /** Restores the line that was removed last; null if there is none. */
    redo: undone && redo,
    dialog,
    setDialog,
  };
}
