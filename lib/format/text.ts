const searchCollator = new Intl.Collator("en", { usage: "search", sensitivity: "base", ignorePunctuation: true });

/** Whether two texts are the same to a search, which only looks at letters and digits, without case and accents. */
export function equalForSearch(text: string, other: string): boolean {
  return searchCollator.compare(text, other) === 0;
}

const letterCollator = new Intl.Collator("en", { usage: "search", sensitivity: "base" });

/** Whether two texts are the same but for their case and accents, however an accent is written. */
export function equalIgnoringCase(a: string, b: string): boolean {
  return letterCollator.compare(a, b) === 0;
}

/** A text without its case and accents. */
export const plainText = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Whether the text has each word of the query, ignoring case and accents. */
export function matchesWords(text: string, query: string): boolean {
  const haystack = plainText(text);
  return plainText(query)
    .split(/\s+/)
    .every((word) => haystack.includes(word));
}

/** How many letters are inserted, missing or replaced; two swapped neighbors count twice. */
export function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, fromLetter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, toLetter] of [...to].entries()) {
      const replaced = (row[j] ?? 0) + (fromLetter === toLetter ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The name that someone probably meant: it or its beginning differs in at most a third of the letters. Null if none does. */
export function findNearestName(input: string, names: readonly string[]): string | null {
  const edits = (name: string) =>
    Math.min(
      ...[name, name.slice(0, input.length)].map((candidate) =>
        countEdits(input.toLowerCase(), candidate.toLowerCase()),
      ),
    );
  const [nearest] = names.toSorted((a, b) => edits(a) - edits(b));
  return nearest !== undefined && edits(nearest) <= input.length / 3 ? nearest : null;
}

/** ` Did you mean Kitsap?`, to follow a sentence about an unknown name; empty if no name is near. */
export function didYouMean(input: string, names: readonly string[]): string {
  const nearest = findNearestName(input, names);
  return nearest === null ? "" : ` Did you mean ${nearest}?`;
}

/** A label within a sentence: `ZIP code`, `voter ID`, `day entered`. */
export const withinSentence = (label: string) => label.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());

/** A text with a full stop at its end, such as a name, which can end with an initial. */
export const sentence = (text: string) => (text.endsWith(".") ? text : `${text}.`);

/** A text with its first letter in upper case. */
export const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A label of one thing as that of several: `Counties`, `ZIP codes`. */
export const plural = (label: string) =>
  /[^aeiou]y$/.test(label) ? `${label.slice(0, -1)}ies` : label + (/(s|x|ch|sh)$/.test(label) ? "es" : "s");

const alternatives = new Intl.ListFormat("en", { type: "disjunction" });

/** `Ada, Bea, or Cy` */
export const joinWithOr = (words: string[]) => alternatives.format(words);

/** Orders texts as people sort them: “10th Ward” follows “9th Ward”. */
export const { compare: compareTexts } = new Intl.Collator("en", { numeric: true });
