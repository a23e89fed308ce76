import { logProgress, readArguments, runScript } from "./cli.ts";
import { printAccounts } from "./demo-data/demo-data.ts";
import { buildIfStale, serverEnv, serverOf } from "./local-stack/build.ts";
import { lockLocalFolder } from "./local-stack/local-folder.ts";
import { startStack, waitForStatus } from "./local-stack/start-stack.ts";

const usage = `npm run demo [-- --reset]

Starts everything with demo data, built for production, at http://localhost:3000. Ctrl-C stops it; the data is kept.

  --reset  start with new data
  --help   print this`;
const { values } = readArguments(usage, { options: { reset: { type: "boolean" } } });

await runScript(async () => {
  lockLocalFolder(values);
  await buildIfStale();
  const stack = await startStack();
  logProgress("Starting the application");
  stack.start({
    command: process.execPath,
    args: [serverOf()],
    env: { ...stack.env, ...serverEnv, PORT: String(stack.port) },
    logFile: "application.log",
  });
  const host = ["127.0.0.1", "0.0.0.0", "::"].includes(serverEnv.HOSTNAME) ? "localhost" : serverEnv.HOSTNAME;
  const address = `http://${host}:${stack.port}`;
  await waitForStatus(`${address}/login`, 200);
  logProgress(`Signet is ready: ${address}`);
  printAccounts(stack.env);
  console.log("\nCtrl-C stops it; the data is kept for the next start.");
  await stack.ended;
});
