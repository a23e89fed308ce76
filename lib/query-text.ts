/** What is set of a filter as the query of an address, with its `?`; nothing when all of it is left open. */
export function queryText(asked: Record<string, string | number | boolean | undefined>): string {
  const set = Object.entries(asked).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return set.length === 0 ? "" : `?${new URLSearchParams(set)}`;
}
