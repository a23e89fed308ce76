/** Names of permission sets in a line. */
export function setNames(setIds: string[], sets: { id: string; name: string }[]): string {
  const names = sets.filter(({ id }) => setIds.includes(id)).map(({ name }) => name);
  return names.join(", ") || "No permission sets";
}
