import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "./build.ts";
import { report } from "./report.ts";

const root = resolve(import.meta.dirname, "../..");
const stamp = join(root, ".next/signet-sources");
const sources = [
  "app/**/*",
  "components/**/*",
  "lib/**/*",
  "supabase/functions/_shared/**/*",
  "*.ts",
  "*.mjs",
  "package-lock.json",
  "tsconfig.json",
];

/** Builds the application for production, unless the build that is there was made from the same sources. */
export function buildIfStale() {
  const hash = createHash("sha256");
  for (const file of globSync(sources, { cwd: root, withFileTypes: true, exclude: ["next-env.d.ts"] })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()) {
    hash.update(file).update(readFileSync(file));
  }
  const fingerprint = hash.digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint) return;
  report("Building the application");
  build();
  writeFileSync(stamp, fingerprint);
}
