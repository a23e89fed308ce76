/** A filter as the query of an address, with its `?` and each value of a list; an empty text if nothing is set. */
export function queryText(filter: Record<string, string | number | boolean | string[] | undefined>): string {
  const entries = Object.entries(filter).flatMap(([name, value]) =>
    [value ?? []].flat().map((item) => [name, String(item)]),
  );
  return entries.length === 0 ? "" : `?${new URLSearchParams(entries)}`;
}
