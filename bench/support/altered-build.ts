import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ownEnvironment } from "../../tests/support/own-environment.ts";
import { atEnd, root } from "./run-bench.ts";

/** The program that builds and starts the application. */
export const nextBin = join(root, "node_modules/next/dist/bin/next");

/**
 * Builds the application with some files replaced, until the bench ends, and answers the folder: it is below `.local`,
 * where Node and Next.js find the node_modules of the repository.
 */
export function buildAltered(files: Record<string, string>): string {
  mkdirSync(join(root, ".local"), { recursive: true });
  const folder = mkdtempSync(join(root, ".local/bench-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const configuration = readdirSync(root).filter((name) => /^(?!package-lock).*\.(ts|mjs|json)$/.test(name));
  for (const name of ["app", "components", "lib", "supabase", ...configuration]) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const build = spawnSync(process.execPath, [nextBin, "build"], {
    cwd: folder,
    env: { ...ownEnvironment, NEXT_TELEMETRY_DISABLED: "1" },
    encoding: "utf8",
  });
  if (build.status !== 0) throw new Error(`The build failed.\n${build.stdout}\n${build.stderr}`);
  return folder;
}
