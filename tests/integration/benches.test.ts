import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { longBenches, runSmallBenches } from "../support/small-benches.ts";

const benches = readdirSync("bench").filter((name) => name.endsWith(".ts") && name !== "run.ts");
const names = benches.map((name) => name.slice(0, -".ts".length)).filter((name) => !longBenches.flat().includes(name));

// Small sizes say nothing about speed: this shows that everything runs and that what is compared gives equal answers.
test("the benches without the application run", { timeout: 300_000 }, async ({ signal }) => {
  const { failed, stdout, stderr } = await runSmallBenches(names, signal);
  expect({ failed, stderr }).toEqual({ failed: false, stderr: "" });
  expect(names).toEqual(["progress", "snapshot"]);
  expect(stdout.match(/^── .* ──$/gm)).toEqual(names.map((name) => `── ${name} ──`));
  expect(stdout).not.toMatch(/NaN|undefined/);
});

test("a bench that nobody knows is refused", async ({ signal }) => {
  const { failed, stderr } = await runSmallBenches(["speed"], signal);
  expect(failed).toBe(true);
  expect(stderr).toContain("There is no bench named speed.");
});
