import { setTimeout as wait } from "node:timers/promises";

/** The table of pending permission changes as a list. */
export const pending = {
  changes: [] as { id: number; userId: string }[],
  readCount: 0,
  readDelayMs: 0,
  isUnreachable: false,
  reset: () => void Object.assign(pending, { changes: [], readCount: 0, readDelayMs: 0, isUnreachable: false }),
};

/** A mock of the admin client with only the two functions for pending changes. */
export const createAdminClient = () => ({
  rpc: async (name: string, { p_ids = [], p_limit = 0 }: { p_ids?: number[]; p_limit?: number }) => {
    if (name === "delete_permission_changes") {
      pending.changes = pending.changes.filter(({ id }) => !p_ids.includes(id));
      return { data: null, error: null };
    }
    pending.readCount += 1;
    const read = pending.changes.slice(0, p_limit);
    const data = {
      ids: read.map(({ id }) => id),
      userIds: [...new Set(read.map(({ userId }) => userId))],
      endsInMs: null,
    };
    await wait(pending.readDelayMs);
    return pending.isUnreachable
      ? { data: null, error: new Error("The database is unreachable.") }
      : { data, error: null };
  },
});
