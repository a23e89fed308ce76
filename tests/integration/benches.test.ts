import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { findPostgres } from "../support/postgres-server.ts";
import { longBenches, runSmallBenches } from "../support/small-benches.ts";

const benches = readdirSync("bench").filter((name) => name.endsWith(".ts") && name !== "run.ts");
const names = benches.map((name) => name.slice(0, -".ts".length)).filter((name) => !longBenches.includes(name));

// Small sizes say nothing about speed: this shows that everything runs and that what is compared gives equal answers.
test("the benches on one stack and one build run", { timeout: 300_000 }, async () => {
  const { failed, stdout, stderr } = await runSmallBenches(names);
  expect({ failed, stderr }).toEqual({ failed: false, stderr: "" });
  expect(names).toEqual(["charts", "progress", "routes", "search", "snapshot"]);
  expect(stdout.match(/^── .* ──$/gm)).toEqual(names.map((name) => `── ${name} ──`));
  const last = findPostgres().length > 0 ? "many zips, from 9 900" : "PostgreSQL is not measured";
  expect(stdout).toContain(last);
  expect(stdout).not.toMatch(/NaN|undefined/);
});

test("a bench that nobody knows is refused", async () => {
  const { failed, stderr } = await runSmallBenches(["speed"]);
  expect(failed).toBe(true);
  expect(stderr).toContain("There is no bench named speed.");
});
