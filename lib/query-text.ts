/** A filter as the query of an address, with its `?`; an empty text if nothing is set. */
export function queryText(filter: Record<string, string | number | boolean | undefined>): string {
  const entries = Object.entries(filter).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return entries.length === 0 ? "" : `?${new URLSearchParams(entries)}`;
}
