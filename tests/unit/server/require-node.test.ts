import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { oldNodeMessage } from "../../../lib/server/require-node.ts";

test.each(["22.12.0", "22.21.1", "23.0.0", "24.21.0", "100.1.0"])("accepts Node %s", (version) =>
  expect(oldNodeMessage(version)).toBeNull(),
);

test.each(["22.11.0", "22.2.0", "21.7.3", "20.20.2", "18.0.0", "9.12.0"])("refuses Node %s with a message", (version) =>
  expect(oldNodeMessage(version)).toBe(
    `Signet needs Node 22.12 or newer, and this is Node ${version}. Run \`npm ci\` and start Signet with its npm scripts, or install a newer Node.`,
  ),
);

test("package.json and the operating page say the same", () => {
  const { engines } = z
    .object({ engines: z.object({ node: z.string() }) })
    .parse(JSON.parse(readFileSync("package.json", "utf8")));
  expect(engines).toEqual({ node: ">=22.12" });
  expect(readFileSync("docs/operate.md", "utf8")).toContain("22.12 or newer");
});
