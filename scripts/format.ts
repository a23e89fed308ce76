import { spawnSync } from "node:child_process";
import { readArguments } from "./cli.ts";

readArguments("npm run format\n\nFormats all files, and fixes what the linter can fix.", {});
process.exitCode = spawnSync("biome", ["check", "--write", "."], { stdio: "inherit" }).status ?? 1;
