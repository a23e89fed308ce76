// npm run dev: the stack with demo data, and the application in development mode.
import { listenHost, nextBin } from "./local-stack/build.ts";
import { printPeople } from "./local-stack/print-people.ts";
import { run } from "./local-stack/run.ts";
import { startStack, takeLocalFolder } from "./local-stack/start-stack.ts";

await run(async () => {
  takeLocalFolder({ reset: process.argv.includes("--reset") });
  const stack = await startStack();
  printPeople(stack.env);
  stack.start({
    command: process.execPath,
    args: [nextBin, "dev", "-p", String(stack.port), "-H", listenHost()],
    env: { ...stack.env, NEXT_TELEMETRY_DISABLED: "1" },
  });
  await stack.ended;
});
