// npm run stack: database, Auth, REST, edge functions and Redis, without the application. Values are in .local/env.
import { join } from "node:path";
import { report } from "./local-stack/report.ts";
import { run } from "./local-stack/run.ts";
import { localFolder, startStack, takeLocalFolder } from "./local-stack/start-stack.ts";

await run(async () => {
  takeLocalFolder({ reset: process.argv.includes("--reset") });
  const stack = await startStack();
  report(`The stack is ready; its values are in ${join(localFolder, "env")}.`);
  await stack.ended;
});
