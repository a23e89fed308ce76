import { type KeyboardEvent, useEffect, useEffectEvent, useId, useMemo, useRef, useState } from "react";
import { FormError } from "@/components/forms/form-error";
import { useDebounced } from "@/components/forms/use-debounced";
import { useFormat } from "@/components/shell/format-provider";
import { HitList, hitId } from "@/components/signatures/entry/hit-list";
import { ReasonDialog } from "@/components/signatures/entry/reason-dialog";
import { useDraft } from "@/components/signatures/entry/use-draft";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { NoVoter, SearchFailed, SearchProgress } from "@/components/voters/search-states";
import { useNearMatches, useVoterSearch, type VoterSource } from "@/components/voters/use-voter-search";
import { VoterInput } from "@/components/voters/voter-input";
import { emptyForm } from "@/lib/signatures/entry/entry-form";
import { keyEvent, verdictKeys } from "@/lib/signatures/entry/entry-keys";
import { wholeNameReadings } from "@/lib/signatures/entry/entry-search";
import { isExactVoter, listedVoters, markedIndex } from "@/lib/signatures/entry/marked-voter";
import type { TakenLine } from "@/lib/signatures/quality";
import type { Voter } from "@/lib/voters/read-hit";
import { emptyFields, filledFields, type SearchFields, type VoterField } from "@/lib/voters/voter-query";
import { addressText, firstNames, listName } from "@/lib/voters/voter-text";

/** What is stored of a second entry, as form fields; a line without a verdict is skipped. */
export type SecondEntry = Record<string, string | undefined>;
const fields = ["lastName", "firstName", "houseNumber", "city"] as const;
const seenOnPaper = verdictKeys.filter(({ verdict }) => verdict !== "duplicate");

/** What is typed of a line. `end` once it's finished, and waits for its search or for the line before it to be saved. */
type Draft = { values: SearchFields; marked: Voter | null; end: { verdict: string; note?: string | undefined } | null };
const emptyDraft: Draft = { values: emptyFields, marked: null, end: null };
const pauseMs = 600;

/**
 * The form of a second entry. As in data entry, what is typed after Enter is for the next line: the first draft is this line,
 * the last one is typed.
 */
export function BlindLine({
  line,
  draftName,
  source,
  pending,
  failed,
  onEnter,
}: {
  line: NonNullable<TakenLine["line"]>;
  /** What is typed of the line is saved under it in this tab, and survives a reload. */
  draftName: string;
  source: VoterSource;
  pending: boolean;
  /** The result of the last entry if it failed: what was entered is shown again. */
  failed: object | null;
  onEnter: (entry: SecondEntry) => void;
}) {
  const [drafts, setDrafts] = useState([emptyDraft]);
  const [isAsking, setAsking] = useState(false); // about the first one
  const [asksReason, setAsksReason] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const lastName = useRef<HTMLInputElement>(null);
  const sent = useRef<{ draft: Draft; lineId: string } | null>(null);
  const listId = useId();
  const { ask, found, page, failure, isSearching } = useVoterSearch(source);
  const similar = useNearMatches(source, found, isSearching).voters;
  const { count } = useFormat();
  useEffect(() => lastName.current?.focus(), []);

  const [first = emptyDraft] = drafts;
  const { id: lineId, sheet, line: lineNumber } = line;
  const shown = (isAsking ? first : drafts.at(-1)) ?? first;
  const { values } = shown;
  const search = (typed: SearchFields, typing: boolean) => {
    const query = { fields: typed, order: { column: "lastName", descending: false }, from: 0 } as const;
    ask(query, { typed: typing, others: () => wholeNameReadings(typed) });
  };
  const change = (changed: Partial<Draft>) => {
    setProblem(null);
    setDrafts(drafts.map((draft) => (draft === shown ? { ...draft, ...changed } : draft)));
    if (changed.values && shown === first) search(changed.values, changed.values !== emptyFields);
  };
  useDraft(
    draftName,
    useMemo(() => ({ ...emptyForm, sheet, line: lineNumber, fields: first.values }), [sheet, lineNumber, first.values]),
    (saved) => {
      const isOfLine = saved.sheet === sheet && saved.line === lineNumber;
      if (isOfLine && shown === first && first.values === emptyFields) change({ values: saved.fields });
    },
  );
  const type = (field: VoterField, text: string) => change({ values: { ...values, [field]: text } });
  const context = { voters: page?.voters ?? [], similar, total: page?.totalHits ?? 0 };
  const all = listedVoters(context);
  const index = isSearching ? null : markedIndex({ marked: first.marked, fields: first.values }, context);
  const voter = index === null ? undefined : all[index];
  const send = (entry: SecondEntry) => {
    if (pending || sent.current?.lineId === lineId) return;
    sent.current = { draft: first, lineId };
    const [next = emptyDraft, ...others] = drafts.slice(1);
    setDrafts([next, ...others]);
    setAsking(false);
    setProblem(null);
    search(next.values, false);
    lastName.current?.focus();
    onEnter(entry);
  };

  const isHeld = first.end !== null && !isAsking && !pending && sent.current?.lineId !== lineId;
  const isCertain = voter && (voter === first.marked || isExactVoter(voter, first.values));
  const heldEntry = (): SecondEntry | null => {
    const { verdict, note } = first.end ?? {};
    const { firstName, lastName, houseNumber } = first.values;
    if (verdict !== "accepted") return { verdict, firstName, lastName, address: houseNumber, note };
    if (isSearching || !voter || !isCertain) return null;
    const { voterId, lastName: storedLastName = "" } = voter;
    return { verdict, voterId, firstName: firstNames(voter), lastName: storedLastName, address: addressText(voter) };
  };
  const entry = isHeld ? heldEntry() : null;
  const needsClerk = isHeld && !isSearching && entry === null;
  const canEnter = entry !== null;
  const enterHeld = useEffectEvent(() => entry && send(entry));
  useEffect(() => {
    if (canEnter) enterHeld();
  }, [canEnter]);
  useDebounced(
    needsClerk ? JSON.stringify(drafts) : null,
    () => {
      setDrafts(drafts.map((draft) => (draft === first ? { ...draft, end: null } : draft)));
      setAsking(true);
      setProblem(`${count(context.total, "voter matches", "voters match")}. Check the line, then continue.`);
      lastName.current?.focus();
    },
    pauseMs,
  );
  const restore = useEffectEvent(() => {
    if (!sent.current) return;
    const { draft } = sent.current;
    sent.current = null;
    setDrafts([{ ...draft, end: null }, ...drafts]);
    setAsking(true);
    search(draft.values, false);
  });
  useEffect(() => {
    if (failed) restore();
  }, [failed]);

  const finish = (end: NonNullable<Draft["end"]>, marked = shown.marked) => {
    const ended = drafts.map((draft) => (draft === shown ? { ...draft, marked, end } : draft));
    setDrafts(shown === drafts.at(-1) ? [...ended, emptyDraft] : ended);
    setAsking(false);
    setProblem(null);
    lastName.current?.focus();
  };
  const accept = () => {
    if (filledFields(values).length === 0) return;
    if (shown !== first || isSearching) return finish({ verdict: "accepted" });
    if (voter) finish({ verdict: "accepted" }, voter);
    else change({ marked: all[0] ?? null });
  };
  const reject = (verdict: string, note?: string) => {
    if (verdict === "other" && !note) return setAsksReason(true);
    const isUnnamed = values.lastName.trim() === "" && values.firstName.trim() === "";
    if (isUnnamed && (verdict === "not-found" || verdict === "not-registered")) {
      setProblem("Type the name on the line first."); // a slip would count as the first clerk's error
      return lastName.current?.focus();
    }
    finish({ verdict, note });
  };
  const onKeyDown = ({ nativeEvent }: KeyboardEvent) => {
    const event = keyEvent(nativeEvent);
    if (!event) return;
    nativeEvent.preventDefault();
    if (event.type === "enter") accept();
    if (event.type === "clear") change(emptyDraft);
    if (event.type === "verdict" && event.verdict !== "duplicate") reject(event.verdict);
    if (event.type !== "move" || shown !== first) return;
    const next = index === null ? 0 : index + event.by;
    change({ marked: all[next] ?? voter ?? null });
  };
  const listbox = all.length > 0 ? { id: listId, activeId: index === null ? undefined : hitId(listId, index) } : null;
  return (
    <div className="@container flex flex-col gap-3">
      <search aria-label="Voter on this line" className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {fields.map((field) => (
          <VoterInput
            key={field}
            ref={field === "lastName" ? lastName : undefined}
            field={field}
            fields={values}
            popup="listbox"
            listbox={listbox}
            onKeyDown={onKeyDown}
            onText={type}
          />
        ))}
      </search>
      <div aria-busy={isSearching} className="h-57 overflow-y-auto border-y">
        {failure && !isSearching ? (
          <SearchFailed failure={failure} onRetry={() => search(first.values, false)} />
        ) : found && all.length > 0 ? (
          <HitList
            entry={{
              context,
              listId,
              marked: index,
              dispatch: (event) => change({ marked: all[event.index] ?? null }),
            }}
            fields={found.query.fields}
          />
        ) : isSearching ? (
          <SearchProgress />
        ) : (
          found && <NoVoter fields={found.query.fields} onLeaveOut={(field) => type(field, "")} />
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button aria-disabled={!voter} onClick={accept} className="min-w-0 max-w-full">
          <span className="truncate">{voter ? `Enter as valid: ${listName(voter)}` : "Enter as valid"}</span>
          <Kbd aria-hidden>Enter</Kbd>
        </Button>
        <Kbd aria-hidden className="self-center">
          Ctrl+Shift+
        </Kbd>
        {seenOnPaper.map(({ verdict, label, digit }) => (
          <Button key={verdict} variant="outline" className="font-normal" onClick={() => reject(verdict)}>
            {label} <Kbd aria-hidden>{digit}</Kbd>
          </Button>
        ))}
        <Button variant="ghost" onClick={() => send({})}>
          Skip this line
        </Button>
      </div>
      <FormError error={problem} pending={false} />
      {asksReason && <ReasonDialog onReason={(note) => reject("other", note)} onClose={() => setAsksReason(false)} />}
    </div>
  );
}
