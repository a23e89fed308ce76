import { expect, test } from "vitest";
import { withResult } from "../../../bench/support/with-result.ts";

const section = (name: string, day: string, printed: string) =>
  `## ${name}, ${day}\n\n\`\`\`\nA machine\n\n${printed}\n\`\`\``;
const results = (...sections: string[]) =>
  `${["# What `npm run bench -- --write` measured", ...sections].join("\n\n")}\n`;
const result = (name: string, day: string, printed: string) => ({ name, day, machine: "A machine", printed });

test("replaces the last result of the same bench, and keeps the others in order", () => {
  const first = withResult("", result("search", "2026-01-02", "\nratio 2\n"));
  expect(first).toBe(results(section("search", "2026-01-02", "ratio 2")));
  const both = withResult(first, result("routes", "2026-01-03", "ratio 0.8\n"));
  const routes = section("routes", "2026-01-03", "ratio 0.8");
  expect(both).toBe(results(routes, section("search", "2026-01-02", "ratio 2")));
  expect(withResult(both, result("search", "2026-01-04", "ratio 3"))).toBe(
    results(routes, section("search", "2026-01-04", "ratio 3")),
  );
});
