/** The id of a hit, by its position in the list of voters. */
export const hitId = (listId: string, index: number) => `${listId}-${index}`;
