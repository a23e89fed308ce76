/** The limit of one read. */
export const notesPerBatch = 20_000;

export type DrainSteps = {
  readClock(): Promise<number>;
  readNotes(limit: number): Promise<{ ids: number[]; userIds: string[] }>;
  renewEpochs(userIds: string[]): Promise<void>;
  deleteNotes(ids: number[]): Promise<void>;
  markDrained(since: number): Promise<void>;
};

/**
 * Renews the epoch of each user with a note, deletes the notes, and returns the users. A note is deleted only after its
 * epoch is new, so a drain that fails halfway loses nothing, and two at once do no harm.
 */
export async function drainPermissionChanges(steps: DrainSteps): Promise<string[]> {
  const renewed = new Set<string>();
  for (;;) {
    const { userIds, mayBeLeft } = await drainSomeChanges(steps, notesPerBatch);
    for (const userId of userIds) renewed.add(userId);
    if (!mayBeLeft) return [...renewed];
  }
}

/** The same for up to `limit` of the oldest notes. Renews the lease if none are left. */
export async function drainSomeChanges(
  steps: DrainSteps,
  limit: number,
): Promise<{ userIds: string[]; mayBeLeft: boolean }> {
  const since = await steps.readClock();
  const { ids, userIds } = await steps.readNotes(limit);
  if (ids.length > 0) {
    await steps.renewEpochs(userIds);
    await steps.deleteNotes(ids);
  }
  const mayBeLeft = ids.length >= limit;
  if (!mayBeLeft) await steps.markDrained(since);
  return { userIds, mayBeLeft };
}
