import { spawn } from "node:child_process";
import { expect } from "vitest";
import { freePort } from "../../scripts/local-stack/ports.ts";

/** The edge functions in a Deno of the test's own, with these settings. */
export async function startFunctions(settings: Record<string, string>) {
  const port = await freePort(54_390);
  const deno = spawn("node_modules/.bin/deno", ["run", "--allow-all", "scripts/local-stack/serve-functions.ts"], {
    env: { ...process.env, PORT: String(port), ...settings },
    stdio: ["pipe", "ignore", "ignore"],
  });
  const url = `http://127.0.0.1:${port}`;
  const status = () => fetch(`${url}/nothing`).then((response) => response.status);
  await expect.poll(() => status().catch(() => null), { timeout: 20_000 }).toBe(404);
  return { url, stop: () => void deno.kill() };
}
