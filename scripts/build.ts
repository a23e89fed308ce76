import { readArguments, report, run } from "./cli.ts";
import { build } from "./local-stack/build.ts";

readArguments("npm run build\n\nBuilds the application for production, in .next/standalone.", {});

await run(async () => {
  report("Building the application");
  await build();
  report("Built: .next/standalone");
});
