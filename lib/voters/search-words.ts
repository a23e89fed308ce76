import type { SearchFields } from "@/lib/voters/voter-query";

/**
 * One way to read a text: the text of each field, and the words that no field takes. `way` names how first and last name
 * were separated, so that the next letter can be read in the same way.
 */
export type Reading = { fields: Partial<SearchFields>; way: string; unread: string };

const state =
  /^(a[klrz]|c[aot]|d[ce]|fl|ga|hi|i[adln]|k[sy]|la|m[adeinost]|n[cdehjmvy]|o[hkr]|pa|ri|s[cd]|t[nx]|ut|v[at]|w[aivy])$/i;

/** Directions, as people write them, and as most voter files do, which follow the postal service. */
export const directions = readPairs(
  "north n,south s,east e,west w,northeast ne,northwest nw,southeast se,southwest sw",
);

/** Kinds of streets, in the same way. */
export const streetKinds = readPairs(
  "avenue ave,boulevard blvd,circle cir,court ct,drive dr,highway hwy,lane ln,loop loop,parkway pkwy,place pl,road rd," +
    "street st,terrace ter,trail trl,way way",
);

/** Whether a word is a comma: the words of a text include them. */
export function isComma(word: string) {
  return word === ",";
}

/** Whether a word says what kind of street it is, or its direction. */
export function isStreetKind(word = "") {
  return isAnyOf(directions, word) || isAnyOf(streetKinds, word);
}

/** Whether a word is the abbreviation of a state. */
export function isState(word = "") {
  return state.test(word) && !isStreetKind(word);
}

/** Whether a word is one of these, in either form. */
export function isAnyOf(forms: string[][], word = "") {
  return forms.some((pair) => pair.includes(word.toLowerCase().replace(/\.$/, "")));
}

/** Pairs of words with a blank between, separated by commas. */
export function readPairs(text: string) {
  return text.split(",").map((pair) => pair.split(" "));
}
