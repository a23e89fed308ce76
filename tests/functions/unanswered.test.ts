// The edge functions on a Supabase that takes connections and answers nothing.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../../scripts/local-stack/ports.ts";

test("the functions that somebody waits for answer 500 before she has given up", async () => {
  const silent = createServer(() => undefined).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const address = silent.address();
  if (address === null || typeof address === "string") throw new Error("There is no port.");
  const port = await freePort(54_390);
  const deno = spawn("node_modules/.bin/deno", ["run", "--allow-all", "scripts/local-stack/serve-functions.ts"], {
    env: {
      ...process.env,
      PORT: String(port),
      REDIS_URL: "redis://127.0.0.1:1",
      SUPABASE_URL: `http://127.0.0.1:${address.port}`,
      SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: "sb_publishable_x" }),
      SUPABASE_SECRET_KEYS: JSON.stringify({ default: "sb_secret_x" }),
      SEARCH_BACKEND_EMAIL: "search@people.test",
    },
    stdio: ["pipe", "ignore", "ignore"],
  });
  onTestFinished(() => {
    deno.kill();
    silent.close();
  });
  const ask = async (path: string, init: RequestInit) => {
    const response = await fetch(`http://127.0.0.1:${port}/${path}`, { ...init, signal: AbortSignal.timeout(5_000) });
    await response.body?.cancel();
    return { path, status: response.status };
  };
  await expect.poll(() => ask("nothing", {}).catch(() => null), { timeout: 20_000 }).toMatchObject({ status: 404 });

  const withToken = { headers: { Authorization: "Bearer a.b.c" } };
  const json = (body: object) => ({ method: "POST", body: JSON.stringify(body) });
  const asked: [path: string, init: RequestInit][] = [
    ["get-permissions-snapshot", withToken],
    ["search-backend/auth/login", json({ email: "search@people.test", password: "secret", mode: "json" })],
    ["search-backend/essearch/validation", { ...json({ lastName: "Li" }), ...withToken }],
  ];
  const answers = await Promise.all(asked.map(([path, init]) => ask(path, init)));
  expect(answers).toEqual(asked.map(([path]) => ({ path, status: 500 })));
});
