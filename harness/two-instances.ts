// Starts two production instances that share one Redis, on a separate stack whose parts can fail.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { Redis } from "ioredis";
import { serverEnv, serverOf } from "../scripts/local-stack/build.ts";
import { readEnv } from "../scripts/local-stack/local-folder.ts";
import { startFaultProxy } from "./fault-proxy.ts";
import { ownEnvironment } from "./own-environment.ts";
import { ownPort } from "./own-port.ts";
import { startRedis } from "./redis-server.ts";
import { encodeSession, resigned } from "./session.ts";
import { stackApi } from "./stack-api.ts";

export type Instances = Awaited<ReturnType<typeof startTwoInstances>>;

/** Each instance has its own port; `siteUrl` is the load balancer's URL, if there is one. */
export async function startTwoInstances({ siteUrl }: { siteUrl?: string } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "signet-instances-"));
  const redis = await startSharedRedis();
  const stack = await startStack(folder, redis.url);
  const proxy = await startFaultProxy(stack.supabaseUrl);
  const env = {
    ...stack.env,
    NEXT_PUBLIC_SUPABASE_URL: proxy.url,
    SEARCHSVC_URL_SEARCH: `${proxy.url}/functions/v1/search-backend`,
    REDIS_URL: redis.url,
  };
  const start = async (port: number) => startInstance({ port, siteUrl, env });
  const ports = [await ownPort(3410), await ownPort(3440)] as const;
  const instances = [await start(ports[0]), await start(ports[1])];

  return {
    redis,
    stack,
    proxy,
    url: (index: number) => `http://localhost:${ports[index]}`,
    /** Ends an instance and starts it again, from the same build. */
    restart: async (index: number) => {
      await endInstance(instances[index]);
      instances[index] = await start(ports[index] ?? 0);
    },
    /** Moves the clock of both instances. */
    moveClock: async (offsetMs: number) => {
      for (const instance of instances) {
        const confirmed = once(instance, "message");
        instance.send({ offset: offsetMs });
        await confirmed;
      }
    },
    stop: async () => {
      proxy.down = false;
      await Promise.all(instances.map(endInstance));
      await stack.stop();
      await redis.close();
      proxy.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Ends an instance, by force after 10 s, because it waits up to 75 s for open connections. */
export async function endInstance(child: ChildProcess | undefined) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const forceTimer = setTimeout(() => child.kill("SIGKILL"), 10_000);
  await ended;
  clearTimeout(forceTimer);
}

async function startSharedRedis() {
  const server = await startRedis({ near: 6450 });
  const savedDump = `${server.dump}.old`;
  const command = async (...parts: [string, ...string[]]) => {
    const client = new Redis(server.url);
    try {
      return await client.call(...parts);
    } finally {
      client.disconnect();
    }
  };
  return {
    ...server,
    command,
    /** Starts it again without data. */
    start: async () => {
      rmSync(server.dump, { force: true });
      await server.restart();
    },
    saveDump: async () => {
      await command("SAVE");
      copyFileSync(server.dump, savedDump);
    },
    /** Kills it and starts it from the saved dump, if there is one. */
    restoreDump: async () => {
      await server.stop();
      if (existsSync(savedDump)) copyFileSync(savedDump, server.dump);
      await server.restart();
    },
  };
}

async function startStack(folder: string, redisUrl: string) {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "scripts/stack.ts"], {
    env: { ...ownEnvironment, SIGNET_LOCAL: folder, REDIS_URL: redisUrl, PORT: "3400" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  for await (const chunk of child.stdout) {
    printed += chunk;
    if (printed.includes("is ready")) break;
  }
  if (!printed.includes("is ready")) throw new Error(`The stack did not start.\n${printed}`);
  const env = readEnv(folder);
  const api = stackApi(env);

  /** A person's id, and the cookie of a session that lasts a day, however the tests move the clock. */
  const signIn = async (email: string) => {
    const session = await api.signIn(email);
    const exp = Math.floor(Date.now() / 1000) + 86_400;
    const access_token = resigned(session.access_token, { exp }, folder);
    const longSession = { ...session, access_token, expires_at: exp, expires_in: 86_400 };
    return { userId: session.user.id, cookie: `sb-127-auth-token=${encodeSession(longSession)}` };
  };

  // Uses the program `kill`, which doesn't throw if a process has just ended.
  const signal = (name: "STOP" | "CONT", pids: string[]) => spawnSync("kill", ["-s", name, ...pids]);
  const childrenOf = (pid: number | string, script = "") =>
    spawnSync("pgrep", ["-P", String(pid), "-f", script], { encoding: "utf8" })
      .stdout.split("\n")
      .filter(Boolean);
  const functions = () => childrenOf(child.pid ?? 0, "serve-functions");
  const database = () => {
    const [server = ""] = readFileSync(join(folder, "postgres/postmaster.pid"), "utf8").split("\n");
    return [server, ...childrenOf(server)];
  };

  return {
    env,
    supabaseUrl: env.NEXT_PUBLIC_SUPABASE_URL ?? "",
    /** All edge functions share a process. */
    freezeFunctions: () => void signal("STOP", functions()),
    thawFunctions: () => void signal("CONT", functions()),
    /** Freezes PostgreSQL, and with it Auth and REST. */
    freezeDatabase: () => void signal("STOP", database()),
    thawDatabase: () => void signal("CONT", database()),
    /** Sends a REST request with the secret key, bypassing the proxy. */
    rest: api.rest,
    /** Applies changes made outside of the application, and returns the function's status. */
    invalidate: () => api.callFunction("invalidate-permissions"),
    signIn,
    stop: async () => {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

type InstanceOptions = { port: number; siteUrl?: string | undefined; env: Record<string, string>; logFile?: string };

/** Starts the built application on a port, with these environment variables. */
export async function startInstance({ port, siteUrl, env, logFile }: InstanceOptions) {
  const log = logFile ? openSync(logFile, "a") : "ignore";
  const clock = pathToFileURL("harness/fake-clock.mjs").href;
  const child = spawn(process.execPath, ["--import", clock, serverOf()], {
    env: {
      ...ownEnvironment,
      ...env,
      ...serverEnv,
      SITE_URL: siteUrl ?? `http://localhost:${port}`,
      PORT: String(port),
    },
    stdio: ["ignore", log, log, "ipc"],
  });
  for (let attempt = 0; attempt < 200; attempt++) {
    const response = await fetch(`http://localhost:${port}/login`).catch(() => undefined);
    if (response?.ok) return child;
    await wait(100);
  }
  throw new Error(`The instance on ${port} did not start.`);
}
