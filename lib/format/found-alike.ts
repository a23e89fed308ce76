const collator = new Intl.Collator("en", { usage: "search", sensitivity: "base", ignorePunctuation: true });

/** Whether a search takes two texts for the same: it passes over case, accents, and all that is no letter or digit. */
export function foundAlike(text: string, other: string): boolean {
  return collator.compare(text, other) === 0;
}
