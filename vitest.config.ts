import "./scripts/needs-node.mjs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Files run in separate threads. With this cache, what they import from node_modules is compiled only once.
process.env.NODE_COMPILE_CACHE ??= here("./node_modules/.cache/compiled");

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

const browsers = {
  globalSetup: ["tests/support/running-signet.ts"],
  setupFiles: ["tests/support/demo.ts"],
  testTimeout: 60_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 10_000 } },
  maxConcurrency: 2,
};

// `npm test` runs *.test.ts. `npm run drill` (mode "drill") runs *.drill.ts and the full version of *.long.test.ts. `npm run
// nightly` (mode "nightly") runs *.nightly.ts.
const patterns: Record<string, string> = { drill: "{drill,long.test}.ts", nightly: "nightly.ts" };

/** How the names of a mode's test files end. */
export const filePattern = (mode = "test") => patterns[mode] ?? "test.{ts,tsx}";

export default defineConfig(({ mode }) => {
  const files = filePattern(mode);
  return {
    test: {
      maxWorkers: 3, // on two cores, because many tests wait
      pool: "threads", // they start faster than processes
      silent: "passed-only", // hides what the database prints for each denied request
      reporters: ["default", "./tests/support/slowest-files.ts"],
      projects: [
        {
          ...shared,
          test: {
            name: "unit",
            include: [`tests/unit/**/*.${files}`],
            testTimeout: 20_000,
            unstubEnvs: true,
            unstubGlobals: true,
            env: {
              NEXT_PUBLIC_SUPABASE_URL: "http://supabase.test",
              NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY: "sb_publishable_test",
              SUPABASE_SECRET_KEY: "sb_secret_test",
              SITE_URL: "http://signet.test",
              REDIS_URL: "redis://127.0.0.1:1", // unreachable
            },
          },
        },
        {
          ...shared,
          test: {
            name: "components",
            include: [`tests/components/**/*.${files}`],
            environment: "jsdom",
            setupFiles: ["tests/support/testing-library.ts"],
            testTimeout: 20_000,
          },
        },
        {
          ...shared,
          test: {
            name: "integration",
            include: [`tests/integration/**/*.${files}`],
            env: { LITE_AUTH_BCRYPT_COST: "4" }, // hundreds of accounts sign up, and no one attacks them
            globalSetup: ["tests/support/migrated-database.ts"],
            testTimeout: 60_000,
            hookTimeout: 60_000,
          },
        },
        {
          ...shared,
          test: {
            ...browsers,
            name: "e2e",
            include: [`tests/e2e/**/*.${files}`],
            exclude: ["**/*.alone.*"],
            maxWorkers: 2,
            sequence: { groupOrder: 1 },
          },
        },
        // Tests that change the shared demo or the clock run one after another.
        {
          ...shared,
          test: {
            ...browsers,
            name: "e2e-alone",
            include: [`tests/e2e/**/*.alone.${files}`],
            fileParallelism: false,
            sequence: { groupOrder: 2 },
          },
        },
      ],
    },
  };
});
