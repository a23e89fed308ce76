import { join } from "node:path";
import { logProgress, readArguments, runScript } from "./cli.ts";
import { localFolder, lockLocalFolder } from "./local-stack/local-folder.ts";
import { startStack } from "./local-stack/start-stack.ts";

const usage = `npm run stack [-- --reset]

Starts the database, Auth, REST, the edge functions and Redis with demo data, without the application. Its
connection settings are written to .local/env. Ctrl-C stops it; the data is kept.

  --reset  start with new data
  --help   print this`;
const { values } = readArguments(usage, { options: { reset: { type: "boolean" } } });

await runScript(async () => {
  lockLocalFolder(values);
  const stack = await startStack();
  logProgress(`The stack is ready. Its connection settings are in ${join(localFolder, "env")}`);
  await stack.ended;
});
