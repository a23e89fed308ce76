import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useFormat } from "@/components/shell/format-provider";
import { keepDraft } from "@/components/signatures/entry/entry-draft";
import type { LastPlace } from "@/components/signatures/entry/read-draft";
import { useWork } from "@/components/signatures/entry/use-work";
import { useThrow } from "@/components/ui/use-throw";
import type { VoterSource } from "@/components/voters/ask-for-voters";
import { signedKey, useSignedMarks } from "@/components/voters/use-signed-marks";
import { useSimilarVoters } from "@/components/voters/use-similar-voters";
import { useVoterSearch } from "@/components/voters/use-voter-search";
import type { CampaignOfTeam } from "@/lib/ids";
import type { EntryState } from "@/lib/signatures/answers";
import { type EntryForm, emptyForm, hasNames, type Sight } from "@/lib/signatures/entry/entry-form";
import { withOwnLines } from "@/lib/signatures/entry/own-lines";
import { type EntryEffect, type EntryEvent, step } from "@/lib/signatures/entry/step";
import { type Entry, isLine, type What } from "@/lib/signatures/queue/entry";
import { signedAtText } from "@/lib/signatures/signed-mark";
import type { Voter } from "@/lib/voters/read-hit";
import { readSearchText } from "@/lib/voters/read-search-text";
import { fieldNames, noTexts } from "@/lib/voters/voter-query";

const order = { column: "lastName", descending: false } as const;
const nobody: readonly Voter[] = [];
const idsOf = (voters: readonly Voter[]) => voters.map(({ voterId }) => voterId);

// The places that stay narrow a search; alone they are none: everybody of a town is no answer to an empty line.
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

/**
 * The clerk's form on the screen: `step` decides, this shows and does. What stands in the form is kept in this tab under
 * `name`; `ready` says that it was read, and `last` where she was in a tab that is gone.
 */
export function useEntry({
  name,
  userId,
  place,
  source,
  initial,
  lastName,
  onOpen,
}: {
  name: string;
  userId: string;
  place: CampaignOfTeam;
  source: VoterSource;
  initial: EntryState;
  lastName: RefObject<HTMLInputElement | null>;
  onOpen: (what: "ask-reason" | "show-sheet" | "report") => void;
}) {
  const format = useFormat();
  const [form, setForm] = useState(emptyForm);
  const [ready, setReady] = useState(false);
  const fail = useThrow();
  const [last, setLast] = useState<LastPlace | null>(null);
  const [online, setOnline] = useState(true);
  const queries = useQueryClient();
  const { ask, found, waiting: searching } = useVoterSearch(source);

  const work = useWork({
    ...{ userId, place, initial },
    at: form.sheet === null ? null : { sheet: form.sheet, line: form.line ?? 1 },
    onOutcome: (entry, outcome) => {
      if (!isLine(entry)) return void queries.invalidateQueries({ queryKey: signedKey });
      const { what } = entry;
      if (outcome.outcome !== "duplicate" || what.kind !== "signature") return;
      const name = [what.lastName, what.firstName].filter(Boolean).join(", ") || "she";
      const where = outcome.of ? `: ${signedAtText(outcome.of, format)}` : "";
      const text = `Line ${what.line}: ${name} has signed already${where}; kept as a duplicate.`;
      dispatch({ type: "say", wrong: true, text });
    },
  });
  const { state, own, lines } = work;

  const page = found && "body" in found.answer ? found.answer.body : null;
  const failure = found && "error" in found.answer ? found.answer : null;
  const voters = page?.voters ?? nobody;
  const similar = useSimilarVoters(source, found, searching);
  // Asked for each by itself: what is known of the voters stays when somebody similar comes.
  const check = { campaign: place.campaign, detailsFor: place.team };
  const marksOfVoters = useSignedMarks(check, idsOf(voters));
  const marksOfSimilar = useSignedMarks(check, idsOf(similar.voters));
  const marks = useMemo(
    () => withOwnLines(new Map([...marksOfSimilar, ...marksOfVoters]), own),
    [marksOfVoters, marksOfSimilar, own],
  );
  const atHand = state.sheet?.number === form.sheet ? state.sheet : null;
  const blanks = [...lines.values()].filter(({ state }) => state === "blank").length;
  const sight: Sight = {
    ...{ searching, blind: failure !== null || !online, voters, similar: similar.voters },
    ...{ total: page?.totalHits ?? 0, marks, lines, format },
    count: atHand?.signatureCount == null ? state.linesPerSheet : atHand.signatureCount + blanks,
    last: own.standing.find(({ sheet }) => sheet === form.sheet) ?? null,
  };

  // What a key does is decided by what the screen shows at that moment, so not an effect that runs after it is drawn; and by
  // what the keys before it did.
  const now = useRef({ form, sight });
  useLayoutEffect(() => {
    now.current.sight = sight;
  });
  const dispatch = (event: EntryEvent) => {
    const before = now.current.form;
    const { form: after, effects } = step(before, event, now.current.sight);
    now.current.form = after;
    setForm(after);
    if (event.type === "begin") setLast(null);
    if (after.texts !== before.texts) ask(queryOf(after), { typed: event.type === "typed", others: othersOf(after) });
    for (const effect of effects) perform(effect, before);
  };
  const perform = (effect: EntryEffect, before: EntryForm) => {
    switch (effect.type) {
      case "record":
        return record(effect.what, before);
      case "focus":
        return lastName.current?.focus();
      case "search":
        return searchAgain();
      case "next-typed":
        return void (navigator.onLine && lookUp());
      default:
        return onOpen(effect.type);
    }
  };
  const searchAgain = () => ask(queryOf(now.current.form), { others: othersOf(now.current.form) });
  const record = (what: What, before: EntryForm) => {
    const { entry, kept } = work.record(what);
    if (!kept && "line" in what) dispatch({ type: "unkept", id: entry.id, before });
  };

  /** Puts an entry back into the form, as it was typed. */
  const putBack = (entry: Entry) => {
    const { what } = entry;
    if (!("sheet" in what && "line" in what)) return;
    const { sheet, line } = what;
    const names =
      what.kind === "rejected"
        ? {}
        : {
            lastName: what.lastName ?? "",
            firstName: what.firstName ?? "",
            ...("houseNumber" in what && { houseNumber: what.houseNumber }),
          };
    const signedOn = what.signedOn ?? "";
    dispatch({ type: "put-back", sheet, line, signedOn, texts: names }); // first into the draft, which is kept as well
    work.discard(entry);
  };
  const lookUp = () => {
    const entry = work.entries.find(({ what }) => what.kind === "typed");
    if (entry) putBack(entry);
  };

  useEffect(() => {
    let left = false;
    const restore = async () => {
      const { readDraft } = await import("@/components/signatures/entry/read-draft");
      if (left) return;
      const { draft, last } = readDraft(name);
      const form = { ...emptyForm, ...draft };
      now.current.form = form;
      setForm(now.current.form);
      setLast(last);
      ask(queryOf(form), { others: othersOf(form) });
      setReady(true);
    };
    restore().catch(fail); // without what was kept there is no form, so that it is not overwritten
    return () => {
      left = true;
    };
  }, [name, ask, fail]);
  useEffect(() => {
    if (ready) keepDraft(name, form);
  }, [name, ready, form]);

  // A line that the browser could not keep has arrived, or never will: the form is free again.
  const waitsFor = form.held === null ? null : work.entries.find(({ id }) => id === form.held);
  const released = waitsFor === undefined ? "arrived" : waitsFor?.refused ? "refused" : null;
  const release = useEffectEvent((arrived: boolean) => dispatch({ type: "released", arrived }));
  useEffect(() => {
    if (released !== null) release(released === "arrived");
  }, [released]);

  const goOnline = useEffectEvent(() => {
    setOnline(navigator.onLine);
    if (navigator.onLine && failure) searchAgain();
  });
  useEffect(() => {
    const onChange = () => goOnline();
    onChange();
    window.addEventListener("online", onChange);
    window.addEventListener("offline", onChange);
    return () => {
      window.removeEventListener("online", onChange);
      window.removeEventListener("offline", onChange);
    };
  }, []);

  return {
    ...{ form, sight, work, atHand, dispatch, putBack, lookUp, searchAgain, ready, last },
    ...{ found, page, failure, lookingForSimilar: similar.waiting },
  };
}
