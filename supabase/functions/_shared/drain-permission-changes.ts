/** The limit of one read. */
export const changesPerBatch = 20_000;

export type DrainSteps = {
  readClock(): Promise<number>;
  /** `endsInMs`: after how long more access ends, which becomes pending then; null if not soon. */
  readPending(limit: number): Promise<{ ids: number[]; userIds: string[]; endsInMs: number | null }>;
  renewEpochs(userIds: string[]): Promise<void>;
  deletePending(ids: number[]): Promise<void>;
  markDrained(since: number, endsInMs: number | null): Promise<void>;
};

/**
 * Renews the epoch of each user with a pending change, deletes the changes, and returns the users. A change is deleted only after its
 * epoch is new, so a drain that fails halfway loses nothing, and two at once do no harm.
 */
export async function drainPermissionChanges(steps: DrainSteps): Promise<string[]> {
  const renewed = new Set<string>();
  for (;;) {
    const { userIds, mayHaveMore } = await drainSomeChanges(steps, changesPerBatch);
    for (const userId of userIds) renewed.add(userId);
    if (!mayHaveMore) return [...renewed];
  }
}

/** Drains up to `limit` of the oldest pending changes. Renews the lease if none are left. */
export async function drainSomeChanges(
  steps: DrainSteps,
  limit: number,
): Promise<{ userIds: string[]; mayHaveMore: boolean }> {
  const since = await steps.readClock();
  const { ids, userIds, endsInMs } = await steps.readPending(limit);
  if (ids.length > 0) {
    await steps.renewEpochs(userIds);
    await steps.deletePending(ids);
  }
  const mayHaveMore = ids.length >= limit;
  if (!mayHaveMore) await steps.markDrained(since, endsInMs);
  return { userIds, mayHaveMore };
}
