import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readEnv } from "../../../scripts/local-stack/read-env.ts";
import { ownEnvironment } from "../../support/own-environment.ts";

const folder = mkdtempSync(join(tmpdir(), "signet-stack-"));
const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

function startStack() {
  const child = spawn("npm", ["run", "stack"], {
    env: { ...ownEnvironment, SIGNET_LOCAL: folder, PORT: "3200" },
  });
  running.add(child);
  let printed = "";
  const done = once(child, "exit").then(([code]) => {
    running.delete(child);
    return { code, printed };
  });
  const ready = new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk;
      if (printed.includes("is ready")) resolve();
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    void done.then(() => reject(new Error(printed)));
  });
  ready.catch(() => undefined); // whoever waits for it sees it
  return { child, ready, done };
}

const isListening = (url: string) =>
  new Promise<boolean>((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = createConnection({ host: hostname, port: Number(port) });
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });

async function renameTeam(env: Record<string, string>, name: string) {
  const response = await fetch(`${env.NEXT_PUBLIC_SUPABASE_URL}/rest/v1/teams?id=eq.riverside`, {
    method: "PATCH",
    headers: {
      apikey: env.SUPABASE_SECRET_KEY ?? "",
      "content-type": "application/json",
      prefer: "return=representation",
    },
    body: JSON.stringify({ name }),
  });
  expect(response.status).toBe(200);
}

describe("the local stack", () => {
  test("a second start on one folder says so and touches nothing; data is kept; each signal ends all of it", async () => {
    const first = startStack();
    await first.ready;
    const env = readEnv(folder);
    expect(statSync(join(folder, "env")).mode & 0o777).toBe(0o600);
    expect(Object.keys(env).sort()).toEqual([
      "NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY",
      "NEXT_PUBLIC_SUPABASE_URL",
      "REDIS_URL",
      "SEARCHSVC_API_EMAIL_SEARCH",
      "SEARCHSVC_API_PASSWORD_SEARCH",
      "SEARCHSVC_FIELDS_SEARCH",
      "SEARCHSVC_URL_SEARCH",
      "SITE_URL",
      "SUPABASE_SECRET_KEY",
    ]);
    await renameTeam(env, "Renamed");

    const before = readdirSync(folder).sort();
    const second = await startStack().done;
    expect(second).toMatchObject({ code: 1, printed: expect.stringMatching(/already running.*nothing was changed/) });
    expect(readdirSync(folder).sort()).toEqual(before);
    expect(readEnv(folder)).toEqual(env);

    first.child.kill("SIGTERM");
    expect(await first.done).toMatchObject({ code: 0 });
    for (const name of ["NEXT_PUBLIC_SUPABASE_URL", "REDIS_URL"]) {
      expect([name, await isListening(env[name] ?? "")]).toEqual([name, false]);
    }
    expect(existsSync(join(folder, "env"))).toBe(false);

    const third = startStack();
    await third.ready;
    const again = readEnv(folder);
    for (const name of ["SUPABASE_SECRET_KEY", "SEARCHSVC_API_PASSWORD_SEARCH"]) {
      expect([name, again[name]]).toEqual([name, env[name]]);
    }
    const teams = await fetch(`${again.NEXT_PUBLIC_SUPABASE_URL}/rest/v1/teams?select=id,name&order=id`, {
      headers: { apikey: again.SUPABASE_SECRET_KEY ?? "" },
    });
    expect(await teams.json()).toEqual([
      { id: "hillside", name: "Hillside" },
      { id: "riverside", name: "Renamed" },
    ]);
    third.child.kill("SIGINT");
    expect(await third.done).toMatchObject({ code: 0 });
    expect(await isListening(again.NEXT_PUBLIC_SUPABASE_URL ?? "")).toBe(false);
    expect(await isListening(again.REDIS_URL ?? "")).toBe(false);
  }, 120_000);
});
