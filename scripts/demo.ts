// npm run demo: everything, with demo data, built for production. `-- --reset` begins with new data.
import { serverEnv, serverOf } from "./local-stack/build.ts";
import { buildIfStale } from "./local-stack/build-if-stale.ts";
import { printPeople } from "./local-stack/print-people.ts";
import { report } from "./local-stack/report.ts";
import { run } from "./local-stack/run.ts";
import { startStack, takeLocalFolder, untilAnswers } from "./local-stack/start-stack.ts";

await run(async () => {
  takeLocalFolder({ reset: process.argv.includes("--reset") });
  buildIfStale();
  const stack = await startStack();
  report("Starting the application");
  stack.start({
    command: process.execPath,
    args: [serverOf()],
    env: { ...stack.env, ...serverEnv, PORT: String(stack.port) },
    logFile: "application.log",
  });
  const host = ["127.0.0.1", "0.0.0.0", "::"].includes(serverEnv.HOSTNAME) ? "localhost" : serverEnv.HOSTNAME;
  const address = `http://${host}:${stack.port}`;
  await untilAnswers(`${address}/login`, 200);
  report(`Signet is ready: ${address}`);
  printPeople(stack.env);
  console.log("\nCtrl-C ends it; the data stays for the next start.");
  await stack.ended;
});
