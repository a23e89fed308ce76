// TypeScript does not know these yet; every Node that Signet runs on has them.
declare global {
  interface JSON {
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
    rawJSON(text: string): unknown;
  }
}

/** Parses JSON so that it can be written again as it came: an id rounded to 53 bits would be another voter's. */
export function parseKeepingDigits(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value, { source }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && source !== undefined ? JSON.rawJSON(source) : value,
  );
}
