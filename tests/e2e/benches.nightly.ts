import { expect, test } from "vitest";
import { longBenches, runSmallBenches } from "../support/small-benches.ts";

test.for(longBenches)("the benches %s run", { timeout: 600_000 }, async (names, { signal }) => {
  const { failed, stdout, stderr } = await runSmallBenches(names, signal);
  expect({ failed, stderr }).toEqual({ failed: false, stderr: "" });
  expect(stdout.match(/^── .* ──$/gm)).toEqual(names.map((name) => `── ${name} ──`));
  expect(stdout).not.toMatch(/NaN|undefined/);
});
