import { expect, test } from "vitest";
import { buildingBenches, runSmallBenches } from "../support/small-benches.ts";

test.each(buildingBenches)(
  "the bench %s runs, and its builds give the answers they should",
  { timeout: 600_000 },
  async (name) => {
    const { failed, stdout, stderr } = await runSmallBenches([name]);
    expect({ failed, stderr }).toEqual({ failed: false, stderr: "" });
    expect(stdout).toContain(`── ${name} ──`);
    expect(stdout).not.toMatch(/NaN|undefined/);
  },
);
