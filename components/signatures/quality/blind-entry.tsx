"use client";

import {
  type KeyboardEvent,
  type ReactNode,
  startTransition,
  useActionState,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from "react";
import { FormError } from "@/components/forms/form-error";
import { useSessionEnded } from "@/components/forms/use-session-ended";
import { useFormat } from "@/components/shell/format-provider";
import { HitList, hitId } from "@/components/signatures/entry/hit-list";
import { ReasonDialog } from "@/components/signatures/entry/reason-dialog";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { TextLink } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { NoVoter, SearchFailed, SearchProgress } from "@/components/voters/search-states";
import { useNearMatches, useVoterSearch, type VoterSource } from "@/components/voters/use-voter-search";
import { VoterInput } from "@/components/voters/voter-input";
import { capitalized } from "@/lib/format/text";
import { type FormState, type FormSubmit, initialFormState, lostConnection, toFormData } from "@/lib/forms/form-state";
import type { CampaignOfTeam } from "@/lib/ids";
import { keyEvent, verdictKeys } from "@/lib/signatures/entry/entry-keys";
import { wholeNameReadings } from "@/lib/signatures/entry/entry-search";
import { listed, markedIndex } from "@/lib/signatures/entry/offer";
import { placeText } from "@/lib/signatures/line-text";
import type { QualityCheck, TakenLine } from "@/lib/signatures/quality";
import type { Voter } from "@/lib/voters/read-hit";
import { emptyFields, type SearchFields, type VoterField } from "@/lib/voters/voter-query";
import { addressText, listName } from "@/lib/voters/voter-text";

type Fields = Record<string, string | undefined>;
const fields = ["lastName", "firstName", "houseNumber", "city"] as const;
const seenOnPaper = verdictKeys.filter(({ verdict }) => verdict !== "duplicate");

/** Enters drawn lines from paper a second time, one after another. The first entry is never shown. */
export function BlindEntry({
  place,
  check: { drawn, waiting, forYou, sheetsForYou, differing, unsettled },
  canSettle,
  source,
  enter,
}: {
  place: CampaignOfTeam;
  check: Pick<QualityCheck, "drawn" | "waiting" | "forYou" | "sheetsForYou" | "differing" | "unsettled">;
  canSettle: boolean;
  source: VoterSource;
  enter: FormSubmit<TakenLine>;
}) {
  const { count, number, percent } = useFormat();
  const [taken, setTaken] = useState<TakenLine | null>(null);
  const line = taken?.line;
  const [entered, setEntered] = useState<TakenLine["line"]>(null);
  const [restarts, setRestarts] = useState(0);
  const sendAndTake: FormSubmit<TakenLine> = async (before, form) => {
    const after = await enter(before, form).catch(lostConnection);
    if (after.error !== null) return after;
    // In the same transition as the end of this one, or a key in between would be lost.
    startTransition(() => {
      setEntered(form.has("verdict") ? (line ?? null) : null);
      if (form.has("again")) setRestarts(restarts + 1);
      if (after.data) setTaken(after.data);
    });
    return after;
  };
  const [sent, send, pending] = useActionState<FormState<TakenLine>, FormData>(sendAndTake, initialFormState);
  const { error, message } = useSessionEnded(sent);
  const submit = (fields: Fields) => {
    if (!pending) startTransition(() => send(toFormData({ ...place, ...fields })));
    return !pending;
  };
  const isNoneForYou = forYou === 0 || taken !== null;
  return (
    <Section
      title={line ? capitalized(placeText(line)) : "Second entry"}
      note={
        line
          ? `Enter what's on paper. The first entry stays hidden. ${count(forYou, "line")} left.`
          : waiting === 0
            ? drawn === 0
              ? `No sample yet. ${canSettle ? "Draw one above." : "Ask a supervisor to draw one."}`
              : undefined
            : isNoneForYou
              ? `No lines for you now: ${number(waiting)} left, each assigned to someone else or first entered by you.`
              : `${count(forYou, "line needs", "lines need")} a second entry from you.${waiting > forYou ? ` ${number(waiting - forYou)} more ${waiting - forYou === 1 ? "is" : "are"} assigned to someone else, or you entered ${waiting - forYou === 1 ? "it" : "them"} first.` : ""}`
      }
    >
      {!line && waiting === 0 && drawn > 0 && (
        <p role="status">
          Done: {count(drawn, "line")} entered twice. {number(drawn - differing)} of {number(drawn)} agree (
          {percent((drawn - differing) / drawn)}).{" "}
          {unsettled === 0 ? (
            "No differences to settle."
          ) : canSettle ? (
            <TextLink href="#differences">{count(unsettled, "difference")} to settle</TextLink>
          ) : (
            `Next, a supervisor settles ${count(unsettled, "difference")}.`
          )}
        </p>
      )}
      {!line && sheetsForYou.length > 0 && (
        <p className="wrap-anywhere">
          {count(sheetsForYou.length, "sheet")} to have on hand: {sheetsForYou.map(number).join(", ")}
        </p>
      )}
      {line ? (
        <BlindLine
          key={restarts}
          source={source}
          failed={sent.error === null ? null : sent}
          onEnter={(entry) => submit({ id: line.id, ...entry })}
        />
      ) : (
        waiting > 0 && (
          <Button className="self-start" aria-disabled={pending} onClick={() => submit({})}>
            {isNoneForYou ? "Check again" : "Enter lines"}
          </Button>
        )
      )}
      <p role="status" className="text-muted-foreground empty:hidden">
        {pending ? (line ? "Saving…" : "Loading…") : message}
      </p>
      {entered && (
        <Button
          variant="outline"
          className="self-start"
          aria-disabled={pending}
          onClick={() => submit({ id: line?.id, again: entered.id })}
        >
          Enter {placeText(entered)} again
        </Button>
      )}
      <FormError error={error} pending={pending} />
    </Section>
  );
}

// What is typed while a line is saved is for the next one.
function BlindLine({
  source,
  failed,
  onEnter,
}: {
  source: VoterSource;
  /** The result of the last entry if it failed: what was entered is shown again. */
  failed: object | null;
  /** False if another entry is being saved. */
  onEnter: (entry: Fields) => boolean;
}) {
  const [values, setValues] = useState(emptyFields);
  const [marked, setMarked] = useState<Voter | null>(null);
  const [asksReason, setAsksReason] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const lastName = useRef<HTMLInputElement>(null);
  const sent = useRef({ values, marked });
  const listId = useId();
  const { ask, found, page, failure, isSearching } = useVoterSearch(source);
  const similar = useNearMatches(source, found, isSearching).voters;
  useEffect(() => lastName.current?.focus(), []);

  const search = (typed: SearchFields, typing: boolean) => {
    setValues(typed);
    setProblem(null);
    const query = { fields: typed, order: { column: "lastName", descending: false }, from: 0 } as const;
    ask(query, { typed: typing, others: wholeNameReadings(typed) });
  };
  const restore = useEffectEvent(() => {
    search(sent.current.values, false);
    setMarked(sent.current.marked);
  });
  useEffect(() => {
    if (failed) restore();
  }, [failed]);
  const enter = (entry: Fields) => {
    if (!onEnter(entry)) return;
    sent.current = { values, marked };
    search(emptyFields, false);
    setMarked(null);
    lastName.current?.focus();
  };
  const type = (field: VoterField, text: string) => search({ ...values, [field]: text }, true);
  const context = { voters: page?.voters ?? [], similar, total: page?.totalHits ?? 0 };
  const all = listed(context);
  const index = isSearching ? null : markedIndex({ marked, fields: values }, context);
  const voter = index === null ? undefined : all[index];
  const accept = () => {
    if (!voter) return setMarked(isSearching ? null : (all[0] ?? null));
    const { voterId, firstName, lastName } = voter;
    enter({ verdict: "accepted", voterId, firstName, lastName: lastName ?? "", address: addressText(voter) });
  };
  const reject = (verdict: string, note?: string) => {
    if (verdict === "other" && !note) return setAsksReason(true);
    const isUnnamed = values.lastName.trim() === "" && values.firstName.trim() === "";
    if (isUnnamed && (verdict === "not-found" || verdict === "not-registered")) {
      setProblem("Type the name on the line first."); // a slip would count as the first clerk's error
      return lastName.current?.focus();
    }
    enter({ verdict, firstName: values.firstName, lastName: values.lastName, address: values.houseNumber, note });
  };
  const onKeyDown = ({ nativeEvent }: KeyboardEvent) => {
    const event = keyEvent(nativeEvent);
    if (!event) return;
    nativeEvent.preventDefault();
    if (event.type === "enter") accept();
    if (event.type === "clear") search(emptyFields, false);
    if (event.type === "verdict" && event.verdict !== "duplicate") reject(event.verdict);
    if (event.type !== "move") return;
    const next = index === null ? 0 : index + event.by;
    setMarked(all[next] ?? voter ?? null);
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
          <SearchFailed failure={failure} onRetry={() => search(values, false)} />
        ) : found && all.length > 0 ? (
          <HitList
            entry={{ context, listId, marked: index, dispatch: (event) => setMarked(all[event.index] ?? null) }}
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
          <Hint>Enter</Hint>
        </Button>
        <Hint>Ctrl+Shift+</Hint>
        {seenOnPaper.map(({ verdict, label, digit }) => (
          <Button key={verdict} variant="outline" className="font-normal" onClick={() => reject(verdict)}>
            {label} {digit && <Hint>{digit}</Hint>}
          </Button>
        ))}
        <Button variant="ghost" onClick={() => enter({})}>
          Skip this line
        </Button>
      </div>
      <FormError error={problem} pending={false} />
      {asksReason && <ReasonDialog onReason={(note) => reject("other", note)} onClose={() => setAsksReason(false)} />}
    </div>
  );
}

function Hint({ children }: { children: ReactNode }) {
  return (
    <Kbd aria-hidden className="self-center">
      {children}
    </Kbd>
  );
}
