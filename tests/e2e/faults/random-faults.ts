import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import * as access from "./access.ts";
import { changeByAction, processChanges, read, world } from "./access.ts";

// The scenarios of permission-cache.ts in any order.

type Model = { active: boolean; row: boolean; databaseUp: boolean; redisUp: boolean; agedOn: Set<number> };
type Step = fc.AsyncCommand<Model, null>;

const allowed = ({ active, row }: Model) => active && row;
const always = () => true;

const stepsOn = (instance: number): [string, Step["check"], (model: Model) => Promise<void>][] => [
  [
    `read on ${instance}`,
    always,
    async (model) => {
      const before = world.proxy.calls;
      const result = await read(instance);
      if (!allowed(model)) expect(result).not.toBe("yes");
      else if (model.databaseUp) expect(result).toBe("yes");
      if (!model.agedOn.delete(instance)) return;
      if (model.databaseUp) expect(world.proxy.calls).toBeGreaterThan(before);
      else {
        expect(result).toBe("error");
        model.agedOn.add(instance);
      }
    },
  ],
  [
    `suspend by action on ${instance}`,
    (model) => model.active && model.databaseUp,
    async (model) => {
      await changeByAction(instance, "suspended");
      model.active = false;
      if (model.redisUp) await processChanges();
    },
  ],
  [
    `make active by action on ${instance}`,
    (model) => !model.active && model.databaseUp,
    async (model) => {
      await changeByAction(instance, "active");
      model.active = true;
    },
  ],
  [
    `restart ${instance}`,
    (model) => model.databaseUp,
    async (model) => {
      await access.restart(instance);
      model.agedOn.delete(instance);
    },
  ],
  [
    `slow read on ${instance} over a revoke`,
    (model) => allowed(model) && model.databaseUp,
    async (model) => {
      world.proxy.beforeResponse = async () => wait(150);
      const slow = read(instance);
      await wait(60);
      await changeByAction(1 - instance, "suspended");
      model.active = false;
      world.proxy.beforeResponse = undefined;
      await slow;
      model.agedOn.delete(instance);
    },
  ],
];

const steps: ReturnType<typeof stepsOn> = [
  ...stepsOn(0),
  ...stepsOn(1),
  [
    "revoke by SQL",
    (model) => model.row,
    async (model) => {
      await access.revokeBySql();
      model.row = false;
      if (model.redisUp) await processChanges();
    },
  ],
  [
    "grant by SQL",
    (model) => !model.row,
    async (model) => {
      await access.grantBySql();
      model.row = true;
      if (model.redisUp) await processChanges();
    },
  ],
  [
    "an hour passes",
    always,
    async (model) => {
      await access.anHourPasses();
      model.agedOn = new Set([0, 1]);
    },
  ],
  [
    "the database goes or comes",
    always,
    async (model) => {
      model.databaseUp = !model.databaseUp;
      world.proxy.down = !model.databaseUp;
    },
  ],
  [
    "Redis goes",
    (model) => model.redisUp,
    async (model) => {
      await world.redis.stop();
      model.redisUp = false;
    },
  ],
  [
    "Redis comes back empty",
    (model) => !model.redisUp,
    async (model) => {
      await world.redis.start();
      model.redisUp = true;
      await processChanges();
    },
  ],
  [
    "Redis comes back from an old dump",
    always,
    async (model) => {
      await world.redis.restoreDump();
      model.redisUp = true;
      await processChanges();
    },
  ],
  ["Redis saves a dump", (model) => model.redisUp, world.redis.saveDump],
  ["Redis is flushed", (model) => model.redisUp, async () => void (await world.redis.command("FLUSHALL"))],
];

const commands = steps.map(
  ([name, check, run]): fc.Arbitrary<Step> => fc.constant({ check, run: (model) => run(model), toString: () => name }),
);

test("in random orders of grants, revokes, reads and faults, no read says yes after a revoke", async () => {
  // Runs as many as can begin in this time: an interrupted one would run on during the next.
  const until = Date.now() + 75_000;
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 14 }), async (chosen) => {
      if (Date.now() > until) return;
      await access.reset();
      const start = () => ({
        model: { active: true, row: true, databaseUp: true, redisUp: true, agedOn: new Set<number>() },
        real: null,
      });
      await fc.asyncModelRun(start, chosen);
    }),
    { numRuns: 12, endOnFailure: true },
  );
}, 240_000);
