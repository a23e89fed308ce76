import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { ownEnvironment } from "../../../harness/own-environment.ts";
import { readEnv } from "../../../scripts/local-stack/local-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "signet-stack-"));
const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

function startStack(program = "npm", args = ["run", "stack"]) {
  const child = spawn(program, args, { env: { ...ownEnvironment, SIGNET_LOCAL: folder, PORT: "3200" } });
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
  ready.catch(() => undefined); // reported where it is awaited
  return { child, ready, done };
}

const isListening = (url: string) =>
  new Promise<boolean>((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = createConnection({ host: hostname, port: Number(port) });
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });

type Part = { pid: number; command: string };

/** The process of a stack, and all that it started. */
function partsOf(pid: number): Part[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  const all = [...stdout.matchAll(/^ *(\d+) +(\d+) (.*)$/gm)].map(([, own, parent, command = ""]) => ({
    pid: Number(own),
    parent: Number(parent),
    command,
  }));
  const below = (id: number): Part[] => all.filter(({ parent }) => parent === id).flatMap((p) => [p, ...below(p.pid)]);
  return [...all.filter((part) => part.pid === pid), ...below(pid)];
}

/** Whether the process took the signal; one that has ended didn't. */
function takesSignal({ pid }: Part, signal: 0 | "SIGKILL") {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

const isAlive = (part: Part) => takesSignal(part, 0);

const rest = (env: Record<string, string>, path: string, body?: object) =>
  fetch(`${env.NEXT_PUBLIC_SUPABASE_URL}/rest/v1/${path}`, {
    method: body ? "POST" : "GET",
    headers: { apikey: env.SUPABASE_SECRET_KEY ?? "", "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(5_000),
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
  test("a second start on one folder is refused, data is kept, and each signal ends all processes", async () => {
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
    expect(second).toMatchObject({ code: 1, printed: expect.stringMatching(/already running.*Stop it first/) });
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

  test.for([
    { victim: "a connection of PostgreSQL", command: /^postgres: supabase_admin/, survives: true },
    { victim: "PostgreSQL", command: /bin\/postgres -D/ },
    { victim: "Redis", command: /^\S*redis-server/ },
    { victim: "the edge functions", command: /^\S*deno run/ },
    { victim: "the stack's own process", command: /scripts\/stack\.ts/ },
    { victim: "all of them", command: /./ },
  ])(
    "kill -9 of $victim loses no acknowledged data, and leaves no process behind",
    { timeout: 60_000 },
    async ({ command, survives }) => {
      const stack = startStack(process.execPath, ["--disable-warning=ExperimentalWarning", "scripts/stack.ts"]);
      await stack.ready;
      const env = readEnv(folder);

      const stored: string[] = [];
      let storing = true;
      const store = async () => {
        while (storing) {
          const id = `kept-${randomUUID()}`;
          const response = await rest(env, "teams", { id, name: id }).catch(() => undefined);
          if (response?.status === 201) stored.push(id);
          else await wait(20);
        }
      };
      const stores = [store(), store(), store()];
      await vi.waitFor(() => expect(stored.length).toBeGreaterThan(20), 15_000);
      const parts = partsOf(stack.child.pid ?? 0);
      const killed = parts.filter((part) => command.test(part.command));
      expect(killed).not.toEqual([]);
      for (const part of killed) takesSignal(part, "SIGKILL"); // one may end because of another
      if (survives) stack.child.kill("SIGTERM");
      await stack.done;
      storing = false;
      await Promise.all(stores);
      await vi.waitFor(() => expect(parts.filter(isAlive)).toEqual([]), 5_000);

      const next = startStack();
      await next.ready;
      const rows = z
        .array(z.object({ id: z.string() }))
        .parse(await (await rest(readEnv(folder), "teams?select=id")).json());
      expect(stored.filter((id) => !rows.some((row) => row.id === id))).toEqual([]);
      next.child.kill("SIGTERM");
      await next.done;
    },
  );

  test("data of another major version is refused with the command to start over", async () => {
    const version = join(folder, "postgres/PG_VERSION");
    writeFileSync(version, "16\n");
    expect(await startStack().done).toMatchObject({
      code: 1,
      printed: expect.stringMatching(/made by PostgreSQL 16.*npm run demo -- --reset/),
    });
    writeFileSync(version, "17\n");
    expect(existsSync(version)).toBe(true);
  });
});
