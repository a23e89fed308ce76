import { existsSync } from "node:fs";
import { join } from "node:path";
import { localFolder } from "./local-stack/start-stack.ts";

/** Reads `.env`, else what the local stack wrote, into the environment, where what is set already wins. Answers which. */
export function loadSettings(): string | undefined {
  const path = [".env", join(localFolder, "env")].find((one) => existsSync(one));
  if (path) process.loadEnvFile(path);
  return path;
}
