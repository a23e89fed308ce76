import { readArguments, runScript } from "./cli.ts";
import { printAccounts } from "./demo-data/demo-data.ts";
import { listenHost, nextBin } from "./local-stack/build.ts";
import { lockLocalFolder } from "./local-stack/local-folder.ts";
import { startStack } from "./local-stack/start-stack.ts";

const usage = `npm run dev [-- --reset]

Starts the stack with demo data, and the application in development mode at http://localhost:3000. Ctrl-C stops it; the
data is kept.

  --reset  start with new data
  --help   print this`;
const { values } = readArguments(usage, { options: { reset: { type: "boolean" } } });

await runScript(async () => {
  lockLocalFolder(values);
  const stack = await startStack();
  printAccounts(stack.env);
  stack.start({
    command: process.execPath,
    args: [nextBin, "dev", "-p", String(stack.port), "-H", listenHost()],
    env: { ...stack.env, NEXT_TELEMETRY_DISABLED: "1" },
  });
  await stack.ended;
});
