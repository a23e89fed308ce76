import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, vi } from "vitest";
import { ownPort } from "../../harness/own-port.ts";

/** The settings that point the edge functions at the Supabase of this environment. */
export const functionSettings = (env: Record<string, string>) => ({
  SUPABASE_URL: env.NEXT_PUBLIC_SUPABASE_URL ?? "",
  SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY }),
  SUPABASE_SECRET_KEYS: JSON.stringify({ default: env.SUPABASE_SECRET_KEY }),
});

/** Starts the edge functions in a new Deno process, with these settings. */
export async function startFunctions(settings: Record<string, string>) {
  const port = await ownPort(24_310);
  const deno = spawn("node_modules/.bin/deno", ["run", "--allow-all", "scripts/local-stack/serve-functions.ts"], {
    env: { ...process.env, PORT: String(port), ...settings },
    stdio: ["pipe", "ignore", "ignore"],
  });
  const url = `http://127.0.0.1:${port}`;
  const status = () => fetch(`${url}/nothing`).then((response) => response.status);
  await vi.waitFor(async () => expect(await status()).toBe(404), { timeout: 20_000 });
  return {
    url,
    stop: () => void deno.kill(),
    /** User and system time, fields 14 and 15 of /proc/<pid>/stat, in hundredths of a second. */
    cpuTimeMs: () => {
      const [, fields = ""] = readFileSync(`/proc/${deno.pid}/stat`, "utf8").split(") ");
      const [user, system] = fields.split(" ").slice(11, 13).map(Number);
      return 10 * ((user ?? 0) + (system ?? 0));
    },
  };
}
