import "./scripts/needs-node.mjs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const shared = {
  resolve: {
    alias: [
      { find: /^@\//, replacement: here("./") },
      { find: /^npm:(.+)@[\d.]+$/, replacement: "$1" },
      { find: "server-only", replacement: here("./tests/support/server-only.ts") },
    ],
  },
  oxc: { jsx: { runtime: "automatic" as const } },
};

export default defineConfig({
  test: {
    maxWorkers: 2,
    silent: "passed-only", // what the database prints for each denied request
    projects: [
      { ...shared, test: { name: "unit", include: ["tests/unit/**/*.test.{ts,tsx}"] } },
      {
        ...shared,
        test: {
          name: "integration",
          include: ["tests/integration/**/*.test.ts"],
          globalSetup: ["tests/support/migrated-database.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        ...shared,
        test: {
          name: "e2e",
          include: ["tests/e2e/**/*.test.ts"],
          globalSetup: ["tests/support/running-signet.ts"],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          fileParallelism: false,
          maxConcurrency: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
