import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type DrainSteps,
  drainPermissionChanges,
} from "../../../supabase/functions/_shared/drain-permission-changes.ts";

const batch = 20_000; // notes that one read asks for

type Note = { id: number; userId: string };

// Notes and epochs in memory, on a clock that moves by one with each look at it and with each step.
function inMemory(notes: Note[]) {
  const state = {
    notes: [...notes],
    /** The times at which each user's epoch was renewed. */
    renewed: new Map<string, number[]>(),
    /** What was done: the step's name and what it was called with. */
    log: [] as [step: keyof DrainSteps, given: unknown][],
    now: 1_000_000,
  };
  const done = (step: keyof DrainSteps, given: unknown) => {
    state.now += 1;
    state.log.push([step, given]);
  };
  const steps: DrainSteps = {
    readClock: async () => ++state.now,
    readNotes: async (limit) => {
      done("readNotes", limit);
      const read = state.notes.slice(0, limit);
      return { ids: read.map(({ id }) => id), userIds: [...new Set(read.map(({ userId }) => userId))] };
    },
    renewEpochs: async (userIds) => {
      done("renewEpochs", userIds);
      for (const userId of userIds) state.renewed.set(userId, [...(state.renewed.get(userId) ?? []), state.now]);
    },
    deleteNotes: async (ids) => {
      done("deleteNotes", ids);
      const gone = new Set(ids);
      state.notes = state.notes.filter(({ id }) => !gone.has(id));
    },
    markDrained: async (since) => done("markDrained", since),
  };
  return { state, steps };
}

const notesOf = (...userIds: string[]): Note[] => userIds.map((userId, index) => ({ id: index + 1, userId }));

test("renews epochs, then deletes those notes, then marks, and tells whom it was about, once each", async () => {
  const { state, steps } = inMemory(notesOf("ann", "ben", "ann"));
  expect(await drainPermissionChanges(steps)).toEqual(["ann", "ben"]);
  expect(state.log).toEqual([
    ["readNotes", batch],
    ["renewEpochs", ["ann", "ben"]],
    ["deleteNotes", [1, 2, 3]],
    ["markDrained", expect.any(Number)],
  ]);
  expect(state.notes).toEqual([]);
});

test("without notes it marks, and renews and deletes nothing", async () => {
  const { state, steps } = inMemory([]);
  expect(await drainPermissionChanges(steps)).toEqual([]);
  expect(state.log.map(([step]) => step)).toEqual(["readNotes", "markDrained"]);
});

test("what it marks is true since before the last read, not since it was done", async () => {
  const { state, steps } = inMemory(notesOf("ann"));
  const times: number[] = [];
  await drainPermissionChanges({
    ...steps,
    readNotes: (limit) => {
      times.push(state.now);
      return steps.readNotes(limit);
    },
  });
  // The clock is looked at once, right before the read; reading, renewing and deleting took their time after it.
  expect(state.log.at(-1)).toEqual(["markDrained", times[0]]);
  expect(state.now).toBeGreaterThan((times[0] ?? Number.NaN) + 3);
});

test.each<[failing: keyof DrainSteps, done: string[], left: number]>([
  ["readClock", [], 3],
  ["readNotes", [], 3],
  ["renewEpochs", ["readNotes"], 3],
  ["deleteNotes", ["readNotes", "renewEpochs"], 3],
  ["markDrained", ["readNotes", "renewEpochs", "deleteNotes"], 0],
])(
  "when %s fails it throws that error after %j, and leaves %i notes; the next drain does what is left",
  async (failing, done, left) => {
    const { state, steps } = inMemory(notesOf("ann", "ben", "ann"));
    const failure = new Error(`${failing} is away`);
    const broken = { ...steps, [failing]: () => Promise.reject(failure) };
    await expect(drainPermissionChanges(broken)).rejects.toBe(failure);
    expect(state.log.map(([step]) => step)).toEqual(done);
    expect(state.notes).toHaveLength(left);

    state.log = [];
    expect(await drainPermissionChanges(steps)).toEqual(left > 0 ? ["ann", "ben"] : []);
    expect(state.log.at(-1)?.[0]).toBe("markDrained");
    expect(state.notes).toEqual([]);
  },
);

test("more than one batch is drained before it marks, since the last read; users are told once", async () => {
  const users = ["ann", "ben", "cyd"];
  const { state, steps } = inMemory(
    Array.from({ length: 2 * batch + 5 }, (_, index) => ({ id: index + 1, userId: users[index % 3] ?? "" })),
  );
  const times: number[] = [];
  const readNotes: DrainSteps["readNotes"] = (limit) => {
    times.push(state.now);
    return steps.readNotes(limit);
  };
  expect((await drainPermissionChanges({ ...steps, readNotes })).sort()).toEqual(users);
  const round = ["readNotes", "renewEpochs", "deleteNotes"];
  expect(state.log.map(([step]) => step)).toEqual([...round, ...round, ...round, "markDrained"]);
  expect(state.log.at(-1)).toEqual(["markDrained", times[2]]);
  expect(state.notes).toEqual([]);
});

test("a full last batch is read after once more, since there may be another", async () => {
  const { state, steps } = inMemory(Array.from({ length: batch }, (_, index) => ({ id: index + 1, userId: "ann" })));
  expect(await drainPermissionChanges(steps)).toEqual(["ann"]);
  expect(state.log.map(([step]) => step)).toEqual([
    "readNotes",
    "renewEpochs",
    "deleteNotes",
    "readNotes",
    "markDrained",
  ]);
});

test("when a later batch fails, only what was not renewed is left, and nothing is marked", async () => {
  const { state, steps } = inMemory(
    Array.from({ length: batch + 2 }, (_, index) => ({ id: index + 1, userId: index < batch ? "ann" : "ben" })),
  );
  const renewEpochs: DrainSteps["renewEpochs"] = (userIds) =>
    userIds.includes("ben") ? Promise.reject(new Error("away")) : steps.renewEpochs(userIds);
  await expect(drainPermissionChanges({ ...steps, renewEpochs })).rejects.toThrow("away");
  expect(state.notes.map(({ userId }) => userId)).toEqual(["ben", "ben"]);
  expect(state.log.map(([step]) => step)).not.toContain("markDrained");
});

test("two at once, with changes meanwhile and failures: no note is lost, and no mark is untrue, in any order", async () => {
  const userId = fc.constantFrom("ann", "ben", "cyd");
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(userId, { maxLength: 4 }),
      fc.array(userId, { maxLength: 4 }),
      fc.option(fc.nat(6)),
      async (scheduler, first, later, failsAt) => {
        const { state, steps } = inMemory(notesOf(...first));
        // When each change was committed. Notes are gone from the table only for good.
        const committed = new Map(state.notes.map((note) => [note, state.now]));
        const renewedSince = (note: Note) =>
          (state.renewed.get(note.userId) ?? []).some((time) => time > (committed.get(note) ?? 0));
        const untrue: string[] = [];
        let calls = 0;
        const step =
          <Given, Result>(run: (given: Given) => Promise<Result>) =>
          async (given: Given) => {
            // Any wait before a step and after it, as a network has them.
            await scheduler.schedule(Promise.resolve());
            if (calls++ === failsAt) throw new Error("away");
            const result = await run(given);
            await scheduler.schedule(Promise.resolve());
            return result;
          };
        const readClock = step((_: null) => steps.readClock());
        const slow: DrainSteps = {
          readClock: () => readClock(null),
          readNotes: step(steps.readNotes),
          renewEpochs: step(steps.renewEpochs),
          deleteNotes: step(async (ids) => {
            for (const note of state.notes) {
              if (ids.includes(note.id) && !renewedSince(note)) untrue.push(`${note.id} was deleted`);
            }
            await steps.deleteNotes(ids);
          }),
          markDrained: step(async (since) => {
            for (const [note, time] of committed) {
              if (time < since && !renewedSince(note)) untrue.push(`marked before ${note.id} was carried out`);
            }
            await steps.markDrained(since);
          }),
        };
        const changes = async () => {
          for (const userId of later) {
            await scheduler.schedule(Promise.resolve());
            const note = { id: 100 + committed.size, userId };
            committed.set(note, ++state.now);
            state.notes.push(note);
          }
        };
        const drains = [drainPermissionChanges(slow), drainPermissionChanges(slow)];
        await scheduler.waitFor(Promise.allSettled([...drains, changes()]));

        await drainPermissionChanges(steps); // the next one on the schedule
        expect(untrue).toEqual([]);
        expect(state.notes).toEqual([]);
        expect([...committed.keys()].filter((note) => !renewedSince(note))).toEqual([]);
      },
    ),
    { numRuns: 300 },
  );
});
