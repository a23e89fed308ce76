import { expect, test } from "vitest";
import { longBenches, runSmallBenches } from "../support/small-benches.ts";

test.each(longBenches.map((names) => [names.join(", "), names] as const))(
  "%s: the benches run",
  { timeout: 600_000 },
  async (_name, names, { signal }) => {
    const { failed, stdout, stderr } = await runSmallBenches(names, signal);
    expect({ failed, stderr }).toEqual({ failed: false, stderr: "" });
    expect(stdout.match(/^── .* ──$/gm)).toEqual(names.map((name) => `── ${name} ──`));
    expect(stdout).not.toMatch(/NaN|undefined/);
  },
);
