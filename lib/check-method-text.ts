const words: Record<string, string> = {
  full: "all signatures",
  sample: "random sample",
  washington: "random sample, Washington rules",
};

/** How an election office checks signatures, in words, as part of a sentence. */
export const checkMethodText = (method: string): string => words[method] ?? method;
