import { expect, test } from "vitest";
import { longBenches, runSmallBenches } from "../support/small-benches.ts";

test.each(longBenches)("the bench %s runs", { timeout: 600_000 }, async (name) => {
  const { failed, stdout, stderr } = await runSmallBenches([name]);
  expect({ failed, stderr }).toEqual({ failed: false, stderr: "" });
  expect(stdout).toContain(`── ${name} ──`);
  expect(stdout).not.toMatch(/NaN|undefined/);
});
