import { textOf } from "@/components/voters/kept-places";
import { fieldNames, noTexts, type VoterTexts } from "@/lib/voters/voter-query";

/** What stands in the box and in the fields. */
export type KeptSearch = { box: string; fields: VoterTexts };

const keyOf = (keptAs: string) => `signet:search:${keptAs}`;

/** Keeps a search in this tab while she signs in again. Where the browser keeps nothing, she types it again. */
export function keepSearch(keptAs: string, { box, fields }: KeptSearch) {
  try {
    sessionStorage.setItem(keyOf(keptAs), JSON.stringify({ box, ...fields }));
  } catch {
    // Storage is switched off or full.
  }
}

/** The search that was kept, once: then it is kept no longer. Null where there is none. */
export function takeSearch(keptAs: string): KeptSearch | null {
  try {
    const text = sessionStorage.getItem(keyOf(keptAs));
    if (text === null) return null;
    sessionStorage.removeItem(keyOf(keptAs));
    const kept: unknown = JSON.parse(text);
    const fields = Object.fromEntries(fieldNames.map((name) => [name, textOf(kept, name)]));
    return { box: textOf(kept, "box"), fields: { ...noTexts, ...fields } };
  } catch {
    return null;
  }
}
