import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  type DrainSteps,
  drainPermissionChanges,
} from "../../../supabase/functions/_shared/drain-permission-changes.ts";
import { handle } from "../../../supabase/functions/invalidate-permissions/handler.ts";

const batch = 20_000; // the changes of one read

type Change = { id: number; userId: string };

// Notes and epochs in memory, with a clock that advances with each reading and each step.
function inMemory(pending: Change[]) {
  const state = {
    pending: [...pending],
    /** The times at which each user's epoch was renewed. */
    renewed: new Map<string, number[]>(),
    /** The steps that were done, with their arguments. */
    log: [] as [step: keyof DrainSteps, argument: unknown][],
    now: 1_000_000,
  };
  const done = (step: keyof DrainSteps, argument: unknown) => {
    state.now += 1;
    state.log.push([step, argument]);
  };
  const steps: DrainSteps = {
    readClock: async () => ++state.now,
    readPending: async (limit) => {
      done("readPending", limit);
      const read = state.pending.slice(0, limit);
      return { ids: read.map(({ id }) => id), userIds: [...new Set(read.map(({ userId }) => userId))], endsInMs: null };
    },
    renewEpochs: async (userIds) => {
      done("renewEpochs", userIds);
      for (const userId of userIds) state.renewed.set(userId, [...(state.renewed.get(userId) ?? []), state.now]);
    },
    deletePending: async (ids) => {
      done("deletePending", ids);
      const gone = new Set(ids);
      state.pending = state.pending.filter(({ id }) => !gone.has(id));
    },
    markDrained: async (since) => done("markDrained", since),
  };
  return { state, steps };
}

const changesOf = (...userIds: string[]): Change[] => userIds.map((userId, index) => ({ id: index + 1, userId }));
const many = (count: number, userIdOf: (index: number) => string) =>
  changesOf(...Array.from({ length: count }, (_, index) => userIdOf(index)));
const round = ["readPending", "renewEpochs", "deletePending"];
const stepsIn = ({ log }: ReturnType<typeof inMemory>["state"]) => log.map(([step]) => step);

test("renews epochs, then deletes those changes, then marks, and returns each user once", async () => {
  const { state, steps } = inMemory(changesOf("ann", "ben", "ann"));
  expect(await drainPermissionChanges(steps)).toEqual(["ann", "ben"]);
  expect(state.log).toEqual([
    ["readPending", batch],
    ["renewEpochs", ["ann", "ben"]],
    ["deletePending", [1, 2, 3]],
    ["markDrained", expect.any(Number)],
  ]);
  expect(state.pending).toEqual([]);
});

test.each([
  ["one", 1, round],
  ["a full one, after which there may be another", batch, [...round, "readPending"]],
  ["several", 2 * batch + 5, [...round, ...round, ...round]],
])("drains all batches of changes (%s) before it marks, as of before the last read", async (_, count, done) => {
  const { state, steps } = inMemory(many(count, (index) => (index % 2 === 0 ? "ann" : "ben")));
  let lastRead = 0;
  const readPending: DrainSteps["readPending"] = (limit) => {
    lastRead = state.now; // right after the clock was read
    return steps.readPending(limit);
  };
  expect(await drainPermissionChanges({ ...steps, readPending })).toEqual(["ann", "ben"].slice(0, count));
  expect(stepsIn(state)).toEqual([...done, "markDrained"]);
  expect(state.log.at(-1)).toEqual(["markDrained", lastRead]);
  expect(state.now).toBeGreaterThan(lastRead + 1); // later steps took more time
  expect(state.pending).toEqual([]);
});

test("leaves only what was not renewed when a later batch fails, and marks nothing", async () => {
  const { state, steps } = inMemory(many(batch + 2, (index) => (index < batch ? "ann" : "ben")));
  const renewEpochs: DrainSteps["renewEpochs"] = (userIds) =>
    userIds.includes("ben") ? Promise.reject(new Error("unreachable")) : steps.renewEpochs(userIds);
  await expect(drainPermissionChanges({ ...steps, renewEpochs })).rejects.toThrow("unreachable");
  expect(state.pending.map(({ userId }) => userId)).toEqual(["ben", "ben"]);
  expect(stepsIn(state)).not.toContain("markDrained");
});

test("loses no change and sets no false mark for two drains at once, with new ones and failures in any order", async () => {
  const userId = fc.constantFrom("ann", "ben", "cyd");
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(userId, { maxLength: 4 }),
      fc.array(userId, { maxLength: 4 }),
      fc.option(fc.nat(6)),
      async (scheduler, first, later, failsAt) => {
        const { state, steps } = inMemory(changesOf(...first));
        // When each change was committed.
        const committed = new Map(state.pending.map((change) => [change, state.now]));
        const renewedSince = (change: Change) =>
          (state.renewed.get(change.userId) ?? []).some((time) => time > (committed.get(change) ?? 0));
        const violations: string[] = [];
        let calls = 0;
        const step =
          <Argument, Result>(run: (argument: Argument) => Promise<Result>) =>
          async (argument: Argument) => {
            // Each step waits before and after, as in a network.
            await scheduler.schedule(Promise.resolve());
            if (calls++ === failsAt) throw new Error("unreachable");
            const result = await run(argument);
            await scheduler.schedule(Promise.resolve());
            return result;
          };
        const readClock = step((_: null) => steps.readClock());
        const slow: DrainSteps = {
          readClock: () => readClock(null),
          readPending: step(steps.readPending),
          renewEpochs: step(steps.renewEpochs),
          deletePending: step(async (ids) => {
            for (const change of state.pending) {
              if (ids.includes(change.id) && !renewedSince(change)) violations.push(`${change.id} was deleted`);
            }
            await steps.deletePending(ids);
          }),
          markDrained: step(async (since) => {
            for (const [change, time] of committed) {
              if (time < since && !renewedSince(change)) violations.push(`marked before ${change.id} was processed`);
            }
            await steps.markDrained(since, null);
          }),
        };
        const changes = async () => {
          for (const userId of later) {
            await scheduler.schedule(Promise.resolve());
            const change = { id: 100 + committed.size, userId };
            committed.set(change, ++state.now);
            state.pending.push(change);
          }
        };
        const drains = [drainPermissionChanges(slow), drainPermissionChanges(slow)];
        await scheduler.waitFor(Promise.allSettled([...drains, changes()]));

        await drainPermissionChanges(steps); // the next scheduled one
        expect(violations).toEqual([]);
        expect(state.pending).toEqual([]);
        expect([...committed.keys()].filter((change) => !renewedSince(change))).toEqual([]);
      },
    ),
    { numRuns: 300 },
  );
});

describe("POST /functions/v1/invalidate-permissions", () => {
  async function call(pending: Change[], { method = "POST", apikey = "sb_secret_current", broken = {} } = {}) {
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
    const logError = vi.spyOn(console, "error").mockImplementation(() => undefined);
    onTestFinished(() => void vi.restoreAllMocks());
    const { state, steps } = inMemory(pending);
    const response = await handle(
      new Request("http://functions/invalidate-permissions", { method, headers: { apikey } }),
      { secretKeys: ["sb_secret_current"], steps: { ...steps, ...broken } },
    );
    const body: unknown = await response.json();
    const headers = ["allow", "retry-after"]
      .map((name) => response.headers.get(name))
      .filter((value) => value !== null);
    return {
      answer: [response.status, body, ...headers],
      cacheControl: response.headers.get("cache-control"),
      done: stepsIn(state),
      logged: [...log.mock.calls, ...logError.mock.calls],
    };
  }
  const event = (...users: string[]) => [JSON.stringify({ event: "permissions-invalidated", by: "schedule", users })];

  test.each([
    ["three changes", changesOf("ann", "ben", "ann"), 2, false, [...round, "markDrained"], [event("ann", "ben")]],
    ["nothing to do", [], 0, false, ["readPending", "markDrained"], []],
    ["more than one call processes, without a mark", many(5_001, () => "ann"), 1, true, round, [event("ann")]],
  ])(
    "returns 200 with the number of users and whether more is left: %s",
    async (_, pending, users, left, ...expected) => {
      const { answer, cacheControl, done, logged } = await call(pending);
      expect([answer, cacheControl]).toEqual([[200, { users, left }], "no-store"]);
      expect([done, logged]).toEqual(expected);
    },
  );

  test.each([
    ["a wrong key", { apikey: "sb_secret_other" }, [401, { error: "Send the secret key as `apikey`." }]],
    ...["GET", "PUT", "PATCH", "DELETE", "OPTIONS"].map((method): [string, object, unknown[]] => [
      method,
      { method },
      [405, { error: "Use POST." }, "POST"],
    ]),
  ])("refuses %s, and does nothing", async (_, sent, response) => {
    expect(await call(changesOf("ann"), sent)).toEqual({
      answer: response,
      cacheControl: "no-store",
      done: [],
      logged: [],
    });
  });

  test.each<[failing: keyof DrainSteps, done: string[]]>([
    ["readClock", []],
    ["readPending", []],
    ["renewEpochs", ["readPending"]],
    ["deletePending", ["readPending", "renewEpochs"]],
    ["markDrained", round],
  ])("returns 503 in general words when %s fails, stops after %j, and logs the cause", async (failing, done) => {
    const cause = new Error("connect ECONNREFUSED 10.0.0.7:6379");
    const error = "Couldn't invalidate permissions. The next call continues.";
    expect(await call(changesOf("ann"), { broken: { [failing]: () => Promise.reject(cause) } })).toEqual({
      answer: [503, { error }, "5"],
      cacheControl: "no-store",
      done,
      logged: [["invalidate-permissions failed:", cause]],
    });
  });
});
