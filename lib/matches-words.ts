/** A text without its case and accents. */
export const plainText = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** True when each word of the query stands somewhere in the text, whatever its case and accents. */
export function matchesWords(text: string, query: string): boolean {
  const haystack = plainText(text);
  return plainText(query)
    .split(/\s+/)
    .every((word) => haystack.includes(word));
}
