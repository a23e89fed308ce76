import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import type { VoterSource } from "@/components/voters/ask-for-voters";
import { pagesAround } from "@/components/voters/count-text";
import { searchHanded, takeHandedSearch } from "@/components/voters/handed-search";
import { keepPlaces, readKeptPlaces } from "@/components/voters/kept-places";
import { type KeptSearch, keepSearch, takeSearch } from "@/components/voters/kept-search";
import { useSimilarNames } from "@/components/voters/use-similar-names";
import { useVoterSearch } from "@/components/voters/use-voter-search";
import { type Reading, readSearchText } from "@/lib/voters/read-search-text";
import {
  fieldNames,
  filledFields,
  noTexts,
  pageSize,
  sameTexts,
  type VoterField,
  type VoterOrder,
} from "@/lib/voters/voter-query";

/** What was typed: into the box, with how it can be read, the likeliest way first; and into the fields beside it. */
type Typed = KeptSearch & { readings: readonly Reading[] };

/**
 * The search by one box and the fields beside it. `texts` is what is searched for, as far as the box is understood; `reading` how it
 * was read. What was typed is kept while the session has ended, and city and county always. `area` holds the inputs.
 */
export function useTypedSearch(source: VoterSource, keptAs: string, area: RefObject<HTMLElement | null>) {
  const [typed, setTyped] = useState<Typed>({ box: "", fields: noTexts, readings: [] });
  const [other, setOther] = useState<Reading | null>(null); // than this one was asked for
  const { query, ask, found, waiting } = useVoterSearch(source);
  const similar = useSimilarNames(source, found, waiting, typed);

  const textsOf = ({ texts }: Reading) => ({ ...typed.fields, ...texts });
  const readAs = typed.readings.findIndex((one) => sameTexts(textsOf(one), query.texts));
  const reading = typed.readings[readAs];
  const others = typed.readings.slice(readAs + 1).map(textsOf);
  const page = found && "body" in found.answer ? found.answer.body : null;
  const isOfSimilar = !waiting && page?.voters.length === 0 && similar.voters.length > 0;
  const texts = isOfSimilar ? similar.texts : query.texts;

  const search = (next: Typed, { typing = false } = {}) => {
    setTyped(next);
    setOther(null);
    const [first = next.fields, ...rest] = next.readings.map((one) => ({ ...next.fields, ...one.texts }));
    ask({ ...query, texts: first, from: 0 }, { typed: typing, others: rest });
  };

  const cleared = useRef<Typed>(null);
  const isStarted = useRef(false);
  const start = useEffectEvent(() => {
    if (isStarted.current) return; // React starts twice while developing; what was kept can be taken once
    isStarted.current = true;
    const kept = takeSearch(keptAs);
    const fields = { ...noTexts, ...readKeptPlaces(keptAs), ...kept?.fields };
    let box = kept?.box ?? "";
    // What was typed before the page came alive stands in the fields alone.
    for (const input of area.current?.querySelectorAll<HTMLInputElement>("input[data-field]") ?? []) {
      const field = fieldNames.find((name) => name === input.dataset.field);
      if (input.value === "") continue;
      if (field) fields[field] = input.value;
      else box = input.value;
    }
    search({ box, fields, readings: readSearchText(box, source.extras) });
  });
  const takeHanded = useEffectEvent(() => {
    const box = takeHandedSearch();
    if (box === null) return;
    const fields = { ...noTexts, ...readKeptPlaces(keptAs) };
    search({ box, fields, readings: readSearchText(box, source.extras) });
    area.current?.querySelector<HTMLInputElement>("input[data-field=box]")?.focus();
  });
  useEffect(() => {
    start();
    const take = () => takeHanded();
    take();
    window.addEventListener(searchHanded, take);
    return () => window.removeEventListener(searchHanded, take);
  }, []);

  const isSignedOut = found !== null && "error" in found.answer && found.answer.status === 401;
  useEffect(() => {
    if (isSignedOut) keepSearch(keptAs, typed);
    else takeSearch(keptAs); // she signed in elsewhere, and went on here
  }, [isSignedOut, keptAs, typed]);

  /** What the box said is in the fields from here on, so that a part of it can change. */
  const typeField = (field: VoterField, text: string) => {
    const fields = { ...texts, [field]: text };
    search({ box: "", fields, readings: [] }, { typing: true });
    keepPlaces(keptAs, fields);
  };

  return {
    ...{ query, found, waiting, similar, texts, reading },
    box: typed.box,
    isAmbiguous: typed.readings.length > 1,
    /** Another reading was asked for, and no other finds anybody. */
    isOnlyReading: !waiting && reading !== undefined && reading === other,

    typeBox: (box: string) => {
      // As the letters before were read: else the names would change places while one types.
      const isSame = ({ way }: Reading) => Number(way === reading?.way);
      const readings = readSearchText(box, source.extras).toSorted((a, b) => isSame(b) - isSame(a));
      search({ ...typed, box, readings }, { typing: true });
    },
    typeField,
    /** Its words go out of the box; how the others were read stays. */
    leaveOut: (field: VoterField) => {
      const words = ` ${typed.box.replaceAll(",", " , ")} `.replaceAll(/\s+/g, " ");
      const around = words.split(` ${texts[field]} `);
      if (reading?.texts[field] !== texts[field] || around.length !== 2) return typeField(field, "");
      const box = around.join(" ").replaceAll(/^[ ,]+|[ ,]+$| (?=,)/g, "");
      const { [field]: _left, ...others } = reading.texts;
      search({ ...typed, box, readings: [{ ...reading, texts: others }] });
    },
    readDifferently: () => {
      search({ ...typed, readings: [...typed.readings.slice(readAs + 1), ...typed.readings.slice(0, readAs + 1)] });
      setOther(reading ?? null);
    },
    /** Clears all but city and county; where that is empty already, what was cleared comes back. */
    clear: () => {
      const { city, county } = typed.fields;
      const isEmpty = typed.box === "" && filledFields({ ...typed.fields, city: "", county: "" }).length === 0;
      if (isEmpty) return cleared.current && search({ ...cleared.current });
      cleared.current = typed;
      search({ box: "", fields: { ...noTexts, city, county }, readings: [] });
    },
    askAgain: () => ask({ ...query }, { others }),
    setOrder: (order: VoterOrder) => ask({ ...query, order, from: 0 }),
    turn: (by: 1 | -1) => {
      const around = found && page && pagesAround(found.query, page);
      if (!waiting && around?.[by === 1 ? "after" : "before"]) ask({ ...query, from: query.from + by * pageSize });
    },
  };
}
