import { setTimeout as wait } from "node:timers/promises";

/** The table of notes as a list. */
export const notes = {
  waiting: [] as { id: number; userId: string }[],
  /** How often they were read. */
  reads: 0,
  /** How many ms a read of them takes. */
  answerAfter: 0,
  /** The database is unreachable. */
  fails: false,
  reset: () => void Object.assign(notes, { waiting: [], reads: 0, answerAfter: 0, fails: false }),
};

/** A mock of the admin client with only the two functions of the notes. */
export const createAdminClient = () => ({
  rpc: async (name: string, { p_ids = [], p_limit = 0 }: { p_ids?: number[]; p_limit?: number }) => {
    if (name === "delete_permission_changes") {
      notes.waiting = notes.waiting.filter(({ id }) => !p_ids.includes(id));
      return { data: null, error: null };
    }
    notes.reads += 1;
    const read = notes.waiting.slice(0, p_limit);
    const data = {
      ids: read.map(({ id }) => id),
      userIds: [...new Set(read.map(({ userId }) => userId))],
      endsInMs: null,
    };
    await wait(notes.answerAfter);
    return notes.fails ? { data: null, error: new Error("The database is unreachable.") } : { data, error: null };
  },
});
