import { createHash } from "node:crypto";
import { createWriteStream, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { Redis } from "ioredis";
import { logProgress, UserError } from "../cli.ts";
import { addDemoData, searchEmail } from "../demo-data/demo-data.ts";
import { type Child, startChild } from "./child-process.ts";
import { createGateway } from "./gateway.ts";
import { localFolder, localKeys, writePrivately } from "./local-folder.ts";
import { openDatabase } from "./open-database.ts";
import { freePort, listenNear } from "./ports.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";
import { findRedisServer } from "./redis-server.ts";

const root = resolve(import.meta.dirname, "../..");

export type Stack = {
  /** Environment variables for the application; those that were already set take precedence. */
  env: Record<string, string>;
  port: number;
  /** Starts another process that ends with the stack. */
  start(part: { command: string; args: string[]; env?: Record<string, string>; logFile?: string }): Child;
  /** Resolves when everything has ended, whether it was stopped or failed. */
  ended: Promise<void>;
};

/** Starts PostgreSQL on the local data, which survives any kind of end. Lock the folder first. */
export function startLocalPostgres(): Promise<PostgresServer> {
  const log = createWriteStream(join(localFolder, "postgres.log"));
  return startPostgres({
    folder: join(localFolder, "postgres"),
    password: localKeys().database,
    options: { shared_buffers: "32MB" },
    log: (chunk) => log.write(chunk),
  });
}

/** Starts the database, edge functions and Redis, and waits until each is ready. Lock the folder first. */
export async function startStack(): Promise<Stack> {
  const children: Pick<Child, "stop">[] = [];
  const over = Promise.withResolvers<void>();
  let ending = false;
  const end = async () => {
    if (ending) return over.promise;
    ending = true;
    rmSync(join(localFolder, "env"), { force: true });
    for (const child of children.toReversed()) await child.stop();
    over.resolve();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => void end().then(() => process.exit()));
  process.on("uncaughtException", (error) => {
    if (ending) return; // `postgres` 3.4.9 writes to a connection that is already closed
    console.error(error);
    void end().then(() => process.exit(1));
  });

  const onExit = (name: string, logFile?: string) => {
    if (ending) return;
    console.error(`${name} has ended${logFile ? `; see ${join(localFolder, logFile)}` : ""}.`);
    process.exitCode = 1;
    void end();
  };
  const start: Stack["start"] = ({ command, args, env = {}, logFile }) => {
    const name = args.find((arg) => /\.ts$|bin\/next$|server\.js$/.test(arg)) ?? command;
    const child = startChild({
      command,
      args,
      env: { ...process.env, ...env },
      ...(logFile ? { logFile: join(localFolder, logFile) } : {}),
      onExit: () => onExit(name, logFile),
    });
    children.push(child);
    return child;
  };

  try {
    const keys = localKeys();
    const wantedPort = process.env.PORT ?? "3000";
    if (!/^\d{1,5}$/.test(wantedPort) || Number(wantedPort) > 65_535) {
      throw new UserError(`PORT=${wantedPort} isn't a port. Use a number up to 65535.`, 2);
    }
    const port = await freePort(Number(wantedPort));
    const siteUrl = new URL(process.env.SITE_URL ?? `http://localhost:${port}`).origin;
    logProgress("Starting PostgreSQL");
    const server = process.env.DATABASE_URL ? undefined : await startLocalPostgres();
    if (server) children.push(server);
    server?.process.once("exit", () => onExit("PostgreSQL", "postgres.log"));
    const url = process.env.DATABASE_URL ?? server?.url ?? "";
    logProgress("Applying migrations");
    const database = await openDatabase({ url, keys, siteUrl });
    children.push({ stop: database.close });
    const demoData = addDemoData(database, keys);
    demoData.catch(() => undefined); // awaited below
    const functions = await freePort();
    const supabaseUrl = `http://127.0.0.1:${await listenNear(createGateway(database, functions), 54321)}`;

    const redisUrl = process.env.REDIS_URL ?? (await startRedis(start));
    await waitForRedis(redisUrl);

    logProgress("Starting the edge functions");
    start({
      command: join(root, "node_modules/.bin/deno"),
      args: ["run", "--allow-net", "--allow-env", "--allow-read", join(root, "scripts/local-stack/serve-functions.ts")],
      env: {
        PORT: String(functions),
        REDIS_URL: redisUrl,
        SUPABASE_URL: supabaseUrl,
        SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: keys.publishable }),
        SUPABASE_SECRET_KEYS: JSON.stringify({ default: keys.secret }),
        SEARCH_BACKEND_EMAIL: searchEmail,
        SEARCH_BACKEND_PASSWORD_SHA256: createHash("sha256").update(keys.searchPassword).digest("hex"),
        SITE_URL: process.env.SITE_URL ?? `http://localhost:${port}`,
        SMTP_URL: `${supabaseUrl}/mail`,
        EMAIL_FROM: "Signet <signet@signet.local>",
      },
      logFile: "functions.log",
    });
    await waitForStatus(`${supabaseUrl}/functions/v1/get-permissions-snapshot`, 401);
    await demoData;
    logProgress("Filling the sets of signers");

    const env = withEnvironment({
      NEXT_PUBLIC_SUPABASE_URL: supabaseUrl,
      NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY: keys.publishable,
      SUPABASE_SECRET_KEY: keys.secret,
      REDIS_URL: redisUrl,
      SITE_URL: siteUrl,
      SEARCHSVC_URL_SEARCH: `${supabaseUrl}/functions/v1/search-backend`,
      SEARCHSVC_API_EMAIL_SEARCH: searchEmail,
      SEARCHSVC_API_PASSWORD_SEARCH: keys.searchPassword,
      SEARCHSVC_FIELDS_SEARCH: process.env.SEARCHSVC_URL_SEARCH ? "" : "street,voterId,birthYear,similar", // only Signet's own backend
    });
    const call = { supabaseUrl, secretKey: keys.secret };
    await Promise.all([
      callRegularly({ ...call, name: "invalidate-permissions" }),
      callRegularly({ ...call, name: "send-invitations" }),
      callRegularly({ ...call, name: "send-emails" }),
      callRegularly({ ...call, name: "sync-signers", first: { all: true } }), // Redis may have sets of another database
    ]);
    // Jobs of supabase/schedule.sql that only need the database.
    const hourly = () =>
      database
        .sql(
          "select public.purge_read_log(), public.purge_emails(), public.queue_digests(), public.erase_personal_data()",
        )
        .catch(() => undefined);
    void hourly();
    setInterval(() => void hourly(), 3_600_000);
    writePrivately(
      "env",
      Object.entries(env)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(""),
    );
    return { env, port, start, ended: over.promise };
  } catch (error) {
    const wasStopped = ending; // the process that it waited for has been stopped
    await end();
    if (wasStopped) process.exit();
    throw error;
  }
}

// Calls a function regularly, as Supabase's schedule does. Resolves after the first call, so that the first request finds
// cached permissions and sets of signers.
async function callRegularly(call: { supabaseUrl: string; secretKey: string; name: string; first?: object }) {
  const run = async (body: object, timeLimit: number) => {
    const response = await fetch(`${call.supabaseUrl}/functions/v1/${call.name}`, {
      method: "POST",
      headers: { apikey: call.secretKey, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeLimit),
    }).catch(() => undefined); // the next call continues
    return response?.ok === true;
  };
  let isBegun = await run(call.first ?? {}, 10_000);
  setInterval(async () => {
    if (isBegun) await run({}, 2_500);
    else isBegun = await run(call.first ?? {}, 10_000);
  }, 3_000);
}

async function startRedis(start: Stack["start"]) {
  const server = findRedisServer();
  const port = await freePort();
  logProgress("Starting Redis");
  start({
    command: server,
    args: ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", localFolder],
    logFile: "redis.log",
  });
  return `redis://127.0.0.1:${port}`;
}

/** Waits until the URL returns the status; throws after 30 s. */
export async function waitForStatus(url: string, status: number): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(5_000) }).catch(
      () => undefined,
    );
    if (response?.status === status) return;
    await new Promise((next) => setTimeout(next, 100));
  }
  throw new UserError(`${url} doesn't respond; see the logs in ${localFolder}.`);
}

async function waitForRedis(url: string) {
  const client = new Redis(url, {
    retryStrategy: (attempt) => (attempt < 50 ? 100 : null),
    maxRetriesPerRequest: null,
  });
  client.on("error", () => undefined);
  try {
    await client.ping();
  } catch {
    throw new UserError("Redis doesn't respond; check REDIS_URL.");
  } finally {
    client.disconnect();
  }
}

function withEnvironment(values: Record<string, string>) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, process.env[name] ?? value]));
}
