// Lists imports from folders that a file may not import from; `npm run check` then fails.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { findWrongImports } from "./find-wrong-imports.ts";

const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "app", "components", "lib", "*.ts"], {
  encoding: "utf8",
});
const wrongImports = files
  .split("\n")
  .filter((path) => /^(app|components|lib)\/.*\.tsx?$|^[^/]+\.ts$/.test(path))
  .flatMap((path) => findWrongImports(path, readFileSync(path, "utf8")));
for (const sentence of wrongImports) console.error(sentence);
process.exitCode = wrongImports.length > 0 ? 1 : 0;
