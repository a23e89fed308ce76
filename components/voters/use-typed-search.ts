import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { pagesAround } from "@/components/voters/count-text";
import {
  readFragment,
  readSavedArea,
  type SharedSearch,
  saveArea,
  searchPassedEvent,
  takePassedSearch,
  toUrlFragment,
} from "@/components/voters/saved-search";
import { useSimilarPlaces, withSimilarPlaces } from "@/components/voters/use-similar-places";
import {
  type Found,
  thinkingDelayMs,
  useNearMatches,
  useOtherReadings,
  useVoterSearch,
  type VoterSource,
} from "@/components/voters/use-voter-search";
import { onSessionRenewed, reportSessionEnded } from "@/lib/forms/session-ended";
import { isInUnit } from "@/lib/voters/is-in-unit";
import type { Voter } from "@/lib/voters/read-hit";
import type { Reading } from "@/lib/voters/read-names";
import { readSearchText } from "@/lib/voters/read-search-text";
import {
  emptyFields,
  fieldNames,
  filledFields,
  pageSize,
  type SearchFields,
  sameFields,
  type VoterField,
  type VoterOrder,
  type VoterQuery,
} from "@/lib/voters/voter-query";

const maxAnswers = 20; // that a search without a connection can return to
const fragmentDelayMs = 300; // browsers refuse more than a hundred new addresses in half a minute

function writeFragment(fragment: string) {
  if (fragment !== location.hash) history.replaceState(null, "", `${location.pathname}${location.search}${fragment}`);
}

/** The box, the fields, and the readings of the box, the likeliest first. */
type Typed = { box: string; fields: SearchFields; readings: readonly Reading[] };

/** How a text was understood, and its words that aren't searched. */
type Chips = { fields: SearchFields; unread: string };

/**
 * The search by one box and by separate fields. `fields` is what is searched for; `reading` is how the box was understood.
 * `containerRef` holds the inputs; `openId` is the ID of the open voter, or empty. Both are in the address's fragment; city and
 * county are saved on the device. After a failed search, `found` and `page` are those of an earlier one, if possible of the
 * same words (`isSame`). While someone types, `chips` are those of the previous answer.
 */
export function useTypedSearch(source: VoterSource, storageKey: string, containerRef: RefObject<HTMLElement | null>) {
  const [openId, setOpenId] = useState("");
  const [typed, setTyped] = useState<Typed>({ box: "", fields: emptyFields, readings: [] });
  const { ask, ...state } = useVoterSearch(source);
  const { isSearching, failure } = state;
  const [answers, setAnswers] = useState<{ found: Found; typed: Typed }[]>([]);
  if (state.found && state.page && state.found !== answers[0]?.found)
    setAnswers([{ found: state.found, typed }, ...answers.slice(0, maxAnswers - 1)]);
  const isOffered = failure !== null && failure.status !== 401 && failure.status !== 403;
  const fragmentOf = (typed: Typed, { order, from }: VoterQuery) =>
    toUrlFragment({ ...typed, order, from, readAs: 0, openId: "" });
  const isSame = (one: (typeof answers)[number]) =>
    fragmentOf(one.typed, one.found.query) === fragmentOf(typed, state.query);
  const sameAnswer = isOffered ? answers.find(isSame)?.found : undefined;
  const found = isOffered ? (sameAnswer ?? answers[0]?.found ?? null) : state.found;
  const query = sameAnswer?.query ?? state.query;
  const answered = found && "body" in found.response ? found.response.body : null;
  const fieldsOf = ({ fields }: Reading): SearchFields => ({ ...typed.fields, ...fields });
  const readingIndex = typed.readings.findIndex((one) => sameFields(fieldsOf(one), query.fields));
  const reading = typed.readings[readingIndex];
  const inUnit = (voter: Voter) => Number(isInUnit(voter, typed.box));
  const nearestFirst = (voters: readonly Voter[]) => voters.toSorted((a, b) => inUnit(b) - inUnit(a));
  const page = answered && { ...answered, voters: nearestFirst(answered.voters) };

  const near = useNearMatches(source, found, isSearching, thinkingDelayMs); // delayed, because it compares all names
  const nearMatches = { ...near, voters: nearestFirst(near.voters) };

  const readingOfFields = { fields: query.fields, way: "", unread: "" };
  const single = typed.readings.filter(({ fields }) => Object.keys(fields).length === 1);
  const similarPlaces = useSimilarPlaces(
    source,
    found,
    typed.readings.length > 0 ? single : [readingOfFields],
    isSearching,
  );
  // Readings before the current one were tried already, so they come last.
  const others = reading ? [...typed.readings.slice(readingIndex + 1), ...typed.readings.slice(0, readingIndex)] : [];
  const otherReadings = useOtherReadings(
    source,
    failure ? null : found,
    others.map((one) => ({ reading: one, fields: fieldsOf(one) })),
    isSearching,
  );
  // Of `chris and joan smith` the other one, also if only near matches are found.
  const partner = /(^| )(and|&)( |$)/i.test(reading?.unread ?? "")
    ? others.filter(({ way, unread }) => way === reading?.way && unread !== reading.unread).slice(0, 1)
    : [];
  const showsNearMatches = !isSearching && page?.voters.length === 0 && nearMatches.voters.length > 0;
  const shownFields = showsNearMatches ? nearMatches.fields : query.fields;

  const isUnanswered = isSearching || (page?.totalHits === 0 && nearMatches.isSearching);
  const current: Chips = { fields: shownFields, unread: reading?.unread ?? "" };
  const [chips, setChips] = useState<Chips>({ fields: emptyFields, unread: "" });
  if (!isUnanswered && !(sameFields(chips.fields, current.fields) && chips.unread === current.unread))
    setChips(current);

  const search = (next: Typed, { typing = false, ...paging }: { typing?: boolean } & Partial<VoterQuery> = {}) => {
    setTyped(next);
    const [first = next.fields, ...rest] = next.readings.map((one) => ({ ...next.fields, ...one.fields }));
    if (!typing) setChips({ fields: first, unread: next.readings[0]?.unread ?? "" });
    const inCity = next.readings.filter(({ fields }) => fields.lastName && fields.city);
    ask(
      { ...query, from: 0, ...paging, fields: first },
      {
        typed: typing,
        others: () => rest,
        respelled: async (signal) =>
          (await withSimilarPlaces(source, inCity, signal)).map((one) => ({ ...next.fields, ...one.fields })),
      },
    );
  };
  const searchFor = (box: string, fields: SearchFields) =>
    search({ box, fields, readings: readSearchText(box, source.extraParams) });
  const searchShared = ({ box, fields, order, from, readAs }: SharedSearch) => {
    const readings = readSearchText(box, source.extraParams);
    search({ box, fields, readings: [...readings.splice(readAs, 1), ...readings] }, { order, from });
  };

  const cleared = useRef<Typed>(null);
  const isStarted = useRef(false);
  const start = useEffectEvent(() => {
    if (isStarted.current) return; // in development React runs effects twice
    isStarted.current = true;
    const shared = readFragment(location.hash);
    const fields = { ...emptyFields, ...(shared?.fields ?? readSavedArea(storageKey)) };
    let box = shared?.box ?? "";
    let isTyped = false;
    // Text typed before the page was interactive is only in the inputs.
    for (const input of containerRef.current?.querySelectorAll<HTMLInputElement>("input[data-field]") ?? []) {
      const field = fieldNames.find((name) => name === input.dataset.field);
      if (input.value === "") continue;
      isTyped = true;
      if (field) fields[field] = input.value;
      else box = input.value;
    }
    if (shared && !isTyped) searchShared(shared);
    else searchFor(box, fields);
    if (!shared?.openId) return;
    const { hash } = location;
    writeFragment(toUrlFragment({ ...shared, openId: "" })); // where Back and Close lead
    history.pushState(null, "", hash);
    setOpenId(shared.openId);
  });
  const takeFragment = useEffectEvent(() => {
    const shared = readFragment(location.hash);
    // Opening and closing a voter leaves the search as it is.
    if (shared && toUrlFragment({ ...shared, openId }) !== fragment) searchShared(shared);
  });
  const applyPassedSearch = useEffectEvent(() => {
    const box = takePassedSearch();
    if (box === null) return;
    searchFor(box, { ...emptyFields, ...readSavedArea(storageKey) });
    containerRef.current?.querySelector<HTMLInputElement>("input[data-field=box]")?.focus();
  });
  useEffect(() => {
    start();
    applyPassedSearch();
    const unmounted = new AbortController();
    window.addEventListener(searchPassedEvent, () => applyPassedSearch(), unmounted);
    window.addEventListener("hashchange", () => takeFragment(), unmounted);
    return () => unmounted.abort();
  }, []);

  const likeliest = readSearchText(typed.box, source.extraParams);
  const readAs = likeliest.findIndex(({ fields }) => reading && sameFields(fields, reading.fields));
  const isCorrected = reading && readAs === -1; // the box alone leads to another search
  const { fields, order, from } = query;
  const shared = { ...(isCorrected ? { box: "", fields } : typed), order, from, readAs };
  const fragment = toUrlFragment({ ...shared, openId });
  useEffect(() => {
    if (!isStarted.current) return;
    const timer = setTimeout(() => writeFragment(fragment), fragmentDelayMs);
    return () => clearTimeout(timer);
  }, [fragment]);

  const isSignedOut = failure?.status === 401;
  useEffect(() => {
    if (isSignedOut) reportSessionEnded();
  }, [isSignedOut]);
  const searchAgain = useEffectEvent(() => isSignedOut && state.again());
  useEffect(() => onSessionRenewed(() => void searchAgain()), []);

  /** Moves the box's text into the fields, so that a part of it can change. */
  const typeField = (field: VoterField, text: string) => {
    const fields = { ...shownFields, [field]: text };
    search({ box: "", fields, readings: [] }, { typing: text !== "" });
    saveArea(storageKey, fields);
  };

  return {
    ...state,
    openId,
    setOpenId,
    found,
    page,
    nearMatches,
    isSame: sameAnswer !== undefined,
    fields: shownFields,
    chips,
    box: typed.box,
    /** Whether nothing in the box can be searched, as a date of birth, a unit alone or a sign. */
    isUnsearchable: typed.readings.length === 0 && typed.box.trim() !== "",
    /** The fields in which the box's one word is looked for. */
    tried: typed.readings.every(({ fields }) => Object.keys(fields).length === 1)
      ? typed.readings.flatMap(({ fields }) => fieldNames.filter((name) => fields[name]))
      : [],
    /** Other readings of the box that find someone, and those with cities and streets that are spelled similarly. */
    otherReadings: [...new Set([...similarPlaces, ...partner, ...otherReadings])],

    typeBox: (text: string) => {
      const box = text.replace(/^\/+/, ""); // typed by habit to get here
      // The previous way to read names comes first, or they would swap places while someone types.
      const likely = readSearchText(box, source.extraParams);
      const sameness = ({ way, unread }: Reading) => Number(way === reading?.way && unread === likely[0]?.unread);
      const hasNames = likely[0]?.way !== "" && reading?.way !== "";
      const readings = hasNames ? likely.toSorted((a, b) => sameness(b) - sameness(a)) : likely;
      search({ ...typed, box, readings }, { typing: true });
    },
    typeField,
    /** Removes a field's words from the box; the others are still read as before. */
    leaveOut: (field: VoterField) => {
      const words = ` ${typed.box.replaceAll(",", " , ")} `.replaceAll(/\s+/g, " ");
      const around = words.split(` ${shownFields[field]} `);
      if (reading?.fields[field] !== shownFields[field] || around.length !== 2) return typeField(field, "");
      const box = around.join(" ").replaceAll(/^[ ,]+|[ ,]+$| (?=,)/g, "");
      const { [field]: _left, ...others } = reading.fields;
      search({ ...typed, box, readings: [{ ...reading, fields: others }] });
    },
    readAs: (reading: Reading) => {
      if (typed.box !== "" && !typed.readings.includes(reading))
        setTyped({ ...typed, readings: [reading, ...typed.readings] });
      setChips({ fields: fieldsOf(reading), unread: reading.unread });
      ask({ ...query, fields: fieldsOf(reading), from: 0 });
    },
    /** Clears everything but city and county. If only those are filled, restores what was cleared. */
    clear: () => {
      const { city, county } = typed.fields;
      const isEmpty = typed.box === "" && filledFields({ ...typed.fields, city: "", county: "" }).length === 0;
      if (isEmpty) return cleared.current && search({ ...cleared.current });
      cleared.current = typed;
      search({ box: "", fields: { ...emptyFields, city, county }, readings: [] });
    },
    /** Adds an entry to the history with this voter open; the one before gets what its delay hasn't written yet. */
    pushOpen: (openId: string) => {
      writeFragment(fragment);
      history.pushState(null, "", toUrlFragment({ ...shared, openId }));
      setOpenId(openId);
    },
    setOrder: (order: VoterOrder) => ask({ ...query, order, from: 0 }),
    turnPage: (by: 1 | -1) => {
      const around = found && page && pagesAround(found.query, page);
      if (!isSearching && !failure && around?.[by === 1 ? "after" : "before"])
        ask({ ...query, from: query.from + by * pageSize });
    },
  };
}
