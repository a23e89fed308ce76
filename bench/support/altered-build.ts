import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ownEnvironment } from "../../harness/own-environment.ts";
import { atEnd, root } from "../../harness/run-bench.ts";
import { build } from "../../scripts/local-stack/build.ts";

/**
 * Builds the application with some files replaced, and returns the folder, which is deleted when the benchmark ends. It is
 * below `.local`, where Node and Next.js find the repository's node_modules.
 */
export async function buildAltered(files: Record<string, string>): Promise<string> {
  mkdirSync(join(root, ".local"), { recursive: true });
  const folder = mkdtempSync(join(root, ".local/bench-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const configuration = readdirSync(root).filter((name) => /^(?!package-lock).*\.(ts|mjs|json)$/.test(name));
  for (const name of ["app", "components", "lib", "supabase", ...configuration]) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  const settings = readFileSync(join(folder, "next.config.ts"), "utf8");
  const withRoot = settings.replace("import.meta.dirname", JSON.stringify(root)); // that of its node_modules
  for (const [name, text] of Object.entries({ ...files, "next.config.ts": withRoot })) {
    writeFileSync(join(folder, name), text);
  }
  await build(folder, ownEnvironment);
  return folder;
}
