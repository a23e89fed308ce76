const collator = new Intl.Collator("en", { usage: "search", sensitivity: "base" });

/** Whether two texts are the same but for their case and accents, however an accent is written. */
export function sameLetters(a: string, b: string): boolean {
  return collator.compare(a, b) === 0;
}
