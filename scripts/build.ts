// npm run build: the application for production, in .next/standalone.
import { build } from "./local-stack/build.ts";
import { run } from "./local-stack/run.ts";

await run(async () => build());
