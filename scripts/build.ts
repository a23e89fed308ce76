import { logProgress, readArguments, runScript } from "./cli.ts";
import { build } from "./local-stack/build.ts";

readArguments("npm run build\n\nBuilds the application for production, in .next/standalone.", {});

await runScript(async () => {
  logProgress("Building the application");
  await build();
  logProgress("Built: .next/standalone");
});
