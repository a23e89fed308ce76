import { existsSync } from "node:fs";
import { readArguments, runScript, UserError } from "./cli.ts";
import { serverOf } from "./local-stack/build.ts";

readArguments(
  `npm start

Starts the application that \`npm run build\` made, with the settings in .env or the environment.`,
  {},
);
if (!existsSync(serverOf()))
  await runScript(() => Promise.reject(new UserError("Build the application first: npm run build")));
delete process.env.HOSTNAME; // shells set it to the machine's own name, where only that address would be served
if (existsSync(".env")) process.loadEnvFile();
process.env.KEEP_ALIVE_TIMEOUT ??= "75000"; // ms: longer than balancers keep connections
await import(serverOf());
