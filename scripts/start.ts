import { existsSync } from "node:fs";
import { readArguments, runScript, UserError } from "./cli.ts";
import { serverOf } from "./local-stack/build.ts";

readArguments(
  `npm start

Starts the application that \`npm run build\` built, with the settings in .env or the environment.`,
  {},
);
if (!existsSync(serverOf()))
  await runScript(() => Promise.reject(new UserError("Build the application first: npm run build")));
delete process.env.HOSTNAME; // shells set it to the machine's name, and Signet would then listen only on that address
if (existsSync(".env")) process.loadEnvFile();
process.env.KEEP_ALIVE_TIMEOUT ??= "75000"; // longer than load balancers keep idle connections
await import(serverOf());
