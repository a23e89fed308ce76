import { useEffect, useEffectEvent, useId, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useThrow } from "@/components/forms/use-throw";
import { useFormat } from "@/components/shell/format-provider";
import { invalidateQueries } from "@/components/shell/use-query";
import { useLines } from "@/components/signatures/entry/use-lines";
import { useOnline } from "@/components/signatures/entry/use-outbox";
import { readFragment } from "@/components/voters/saved-search";
import { signedKey, useSignedMarks } from "@/components/voters/use-signed-marks";
import { useNearMatches, useVoterSearch, type VoterSource } from "@/components/voters/use-voter-search";
import { capitalized } from "@/lib/format/text";
import type { FormSubmit } from "@/lib/forms/form-state";
import type { CampaignOfTeam } from "@/lib/ids";
import type { EntryState } from "@/lib/signatures/answers";
import type { Paper } from "@/lib/signatures/changes";
import { type EntryContext, type EntryForm, emptyForm, hasNames } from "@/lib/signatures/entry/entry-form";
import { markedIndex } from "@/lib/signatures/entry/offer";
import { type ShownLine, withOwnLines } from "@/lib/signatures/entry/shown-lines";
import { duplicateText, type EntryEffect, type EntryEvent, step } from "@/lib/signatures/entry/step";
import type { RenumberOutcome, Sheet } from "@/lib/signatures/line";
import { placeText } from "@/lib/signatures/line-text";
import { type Change, isLine, type OutboxItem } from "@/lib/signatures/outbox/outbox";
import type { LastPlace } from "@/lib/signatures/outbox/read-saved";
import { forgetPlace, saveDraft } from "@/lib/signatures/outbox/store";
import type { Voter } from "@/lib/voters/read-hit";
import { readSearchText } from "@/lib/voters/read-search-text";
import { fieldNames, noTexts } from "@/lib/voters/voter-query";

/** What the entry screen and its parts share. */
export type Entry = ReturnType<typeof useEntry>;

type Dialog = "ask-reason" | "show-sheet" | "report" | { move: ShownLine };

const order = { column: "lastName", descending: false } as const;
const nobody: readonly Voter[] = [];
const idsOf = (voters: readonly Voter[]) => voters.map(({ voterId }) => voterId);

// City, county and zip only narrow a search. Alone they don't start one, or an empty line would list a whole town.
const queryOf = (form: EntryForm) => ({ texts: hasNames(form) ? form.texts : noTexts, order, from: 0 });

// A whole name, or a number with it, in the field of the last name.
const othersOf = ({ texts }: EntryForm) =>
  /\S[\s,]+\S/.test(texts.lastName)
    ? readSearchText(texts.lastName, [])
        .filter((reading) =>
          fieldNames.every((field) => field === "lastName" || !(reading.texts[field] && texts[field])),
        )
        .map((reading) => ({ ...texts, lastName: "", ...reading.texts }))
        .slice(0, 2)
    : [];

/** What can be done with sheets and stored lines; each needs the connection. */
type EntryActions = {
  savePaper: FormSubmit<Sheet>;
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
  mayRemove: boolean;
  actions: EntryActions;
};

/** The clerk's form and sheet on the screen: `step` decides, this shows and does. */
export function useEntry({ userId, place, source, initial, ...given }: EntryProps) {
  const format = useFormat();
  const lastName = useRef<HTMLInputElement>(null);
  const [form, setForm] = useState(emptyForm);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const [closed, setClosed] = useState<number[]>([]); // sheets that the last answer may list as open
  const { ask, found, waiting: searching } = useVoterSearch(source);
  const online = useOnline();

  const { outbox, state, here, refresh, own, onSheet, totals } = useLines({
    userId,
    place,
    initial,
    at: form.sheet === null ? null : { sheet: form.sheet, line: form.line ?? 1 },
    onOutcome: (item, outcome) => {
      if (!isLine(item)) return invalidateQueries(signedKey);
      const { verdict, name, line } = item.change;
      if (outcome.outcome !== "duplicate" || verdict !== "accepted") return;
      say(`Line ${line}: ${duplicateText(name || "This voter", outcome.of, format)}.`, true);
    },
  });

  const page = found && "body" in found.answer ? found.answer.body : null;
  const failure = found && "error" in found.answer ? found.answer : null;
  const voters = page?.voters ?? nobody;
  const similar = useNearMatches(source, found, searching);
  // Separate queries: the marks of the voters stay when near matches arrive.
  const check = { campaign: place.campaign, detailsFor: place.team };
  const marksOfVoters = useSignedMarks(check, idsOf(voters));
  const marksOfSimilar = useSignedMarks(check, idsOf(similar.voters));
  const marks = useMemo(
    () => withOwnLines(new Map([...marksOfSimilar, ...marksOfVoters]), own),
    [marksOfVoters, marksOfSimilar, own],
  );
  const sheet = state.sheet?.number === form.sheet ? state.sheet : null;
  const blankCount = [...onSheet.values()].filter(({ state }) => state === "blank").length;
  const context: EntryContext = {
    searching,
    searchDown: failure !== null || !online,
    voters,
    similar: similar.voters,
    total: page?.totalHits ?? 0,
    marks,
    lines: onSheet,
    lineCount: sheet?.signatureCount == null ? state.linesPerSheet : sheet.signatureCount + blankCount,
    last: own.live.find((line) => line.sheet === form.sheet) ?? null,
    format,
  };

  // A key acts on what the screen shows at that moment and on the result of the keys before it.
  const now = useRef({ form, context });
  useLayoutEffect(() => {
    now.current.context = context;
  });
  const dispatch = (event: EntryEvent) => {
    const before = now.current.form;
    const { form: after, effects } = step(before, event, now.current.context);
    now.current.form = after;
    setForm(after);
    if (after.texts !== before.texts) ask(queryOf(after), { typed: event.type === "typed", others: othersOf(after) });
    for (const effect of effects) perform(effect, before);
  };
  const perform = (effect: EntryEffect, before: EntryForm) => {
    switch (effect.type) {
      case "record":
        return record(effect.change, before);
      case "focus":
        return lastName.current?.focus();
      case "search":
        return searchAgain();
      case "next-typed":
        return void (navigator.onLine && putBackTyped());
      default:
        return setDialog(effect.type);
    }
  };
  const say = (text: string, wrong?: boolean) => dispatch({ type: "message", text, wrong });
  const searchAgain = () => ask(queryOf(now.current.form), { others: othersOf(now.current.form) });
  const record = (change: Change, before: EntryForm) => {
    const { item, isSaved } = outbox.record(change);
    if (!isSaved && "line" in change) dispatch({ type: "not-saved", id: item.id, before });
  };

  /** Moves an item back into the form as it was typed, unless something else is typed there. */
  const putBack = (item: OutboxItem) => {
    const { change } = item;
    if (change.kind !== "line" && change.kind !== "typed") return;
    if (hasNames(now.current.form)) return say("Finish the line in the form first, or clear it with Esc.", true);
    const { sheet, line, lastName, firstName } = change;
    const texts = {
      lastName: lastName ?? "",
      firstName: firstName ?? "",
      ...(change.kind === "typed" && { houseNumber: change.houseNumber }),
    };
    // First into the draft, which is saved too.
    dispatch({ type: "put-back", sheet, line, signedOn: change.signedOn ?? "", texts });
    outbox.discard(item);
  };
  const putBackTyped = () => {
    const item = outbox.items.find(({ change }) => change.kind === "typed");
    if (item) putBack(item);
  };

  // The draft of this tab, and where the clerk was last on this device; null until they are read.
  const draftName = `signet:draft:${userId}:${place.team}/${place.campaign}`;
  const [restored, setRestored] = useState<{ last: LastPlace | null } | null>(null);
  const fail = useThrow();
  useEffect(() => {
    let left = false;
    const restore = async () => {
      const { readDraft } = await import("@/lib/signatures/outbox/read-saved");
      if (left) return;
      const { draft, last } = readDraft(draftName);
      const form = { ...emptyForm, ...draft };
      const handed = readFragment(location.hash); // from a voter's panel
      if (handed) {
        history.replaceState(null, "", location.pathname);
        if (hasNames(form))
          form.message = { text: "Finish the line in the form first, or clear it with Esc.", wrong: true };
        else form.texts = { ...form.texts, ...handed.fields };
      }
      now.current.form = form;
      setForm(form);
      ask(queryOf(form), { others: othersOf(form) });
      setRestored({ last });
    };
    restore().catch(fail); // without the draft there is no form that could overwrite it
    return () => {
      left = true;
    };
  }, [draftName, ask, fail]);
  useEffect(() => {
    if (restored) saveDraft(draftName, form);
  }, [draftName, restored, form]);

  // The line that the browser couldn't save is sent or refused: the form is free again.
  const unsaved = form.unsavedId === null ? null : outbox.items.find(({ id }) => id === form.unsavedId);
  const released = unsaved === undefined ? "arrived" : unsaved?.refused ? "refused" : null;
  const release = useEffectEvent((arrived: boolean) => dispatch({ type: "released", arrived }));
  useEffect(() => {
    if (released !== null) release(released === "arrived");
  }, [released]);

  const onOnline = useEffectEvent(() => failure && searchAgain());
  useEffect(() => {
    if (online) onOnline();
  }, [online]);

  const beginSheet = (sheet: number | null, line: number | null, text: string) => {
    setClosed((numbers) => numbers.filter((number) => number !== sheet));
    setRestored({ last: null });
    setDialog(null); // of the previous sheet
    dispatch({ type: "begin", sheet, line, text });
  };
  const resumeSheet = (sheet: number, line: number | null) =>
    beginSheet(sheet, line, capitalized(placeText({ sheet, line })));
  const leaveSheet = (number: number, next: number | null, text: string) => {
    if (next === null) forgetPlace(draftName);
    beginSheet(next, next === null ? 1 : form.line, text);
    setClosed((numbers) => [...numbers, number]);
  };

  return {
    ...given,
    /** The id of the list of voters, and the position in it of the one that Enter acts on. */
    listId: useId(),
    marked: searching ? null : markedIndex(form, context),
    /** The line that the clerk selected, unless something is typed. */
    current: form.line === null || hasNames(form) ? undefined : onSheet.get(form.line),
    /** False until the draft of this tab is read. */
    ready: restored !== null,
    last: restored?.last ?? null,
    place,
    form,
    context,
    dispatch,
    /** The field that has the focus while entering. */
    lastName,
    search: { found, page, failure, busy: searching || similar.waiting, again: searchAgain },
    lines: { state, totals, here, refresh },
    outbox: { ...outbox, putBack, putBackTyped },
    sheets: {
      /** Null until it is read. */
      current: sheet,
      open: state.sheets.filter(({ number }) => !closed.includes(number)),
      resume: resumeSheet,
      /** Starts a sheet, or resumes it; null is the next number. Returns what went wrong, or null. */
      start: async (number: number | null, paper?: Paper): Promise<string | null> => {
        const started = await outbox.openSheet(number, paper);
        if ("error" in started) return started.error;
        const begin = (sheet: number, line: number) => resumeSheet(sheet, Math.max(line, lineAfter(own.live, sheet)));
        if ("sheet" in started) {
          begin(started.sheet.number, started.sheet.nextLine);
          refresh();
          return null;
        }
        if (number === null) return "Signet didn't answer. Enter a sheet number to start it offline.";
        outbox.record({ kind: "open-sheet", sheet: number, ...(paper && { paper }) });
        begin(number, 1);
        return null;
      },
      close: (number: number) => {
        outbox.record({ kind: "close-sheet", sheet: number });
        leaveSheet(number, null, `Sheet ${number} is closed.`);
      },
      /** Call it after the current sheet was saved, renumbered or deleted (null). */
      changed: (number: number | null, text: string) => {
        if (number === form.sheet || form.sheet === null) say(text);
        else leaveSheet(form.sheet, number, text);
        refresh();
      },
    },
    undo: (line: ShownLine) => {
      outbox.record({ kind: "undo", of: line.id });
      say(`Undone: line ${line.line}${line.name && `, ${line.name}`}.`);
      lastName.current?.focus();
    },
    dialog,
    setDialog,
  };
}

/** The line after the last one that this device knows of a sheet. */
const lineAfter = (lines: readonly ShownLine[], sheet: number) =>
  Math.max(0, ...lines.filter((one) => one.sheet === sheet).map(({ line }) => line ?? 0)) + 1;
