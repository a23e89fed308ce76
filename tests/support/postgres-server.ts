// A PostgreSQL server of one's own, on a folder that is gone afterwards, where the machine has PostgreSQL's programs.
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chownSync, existsSync, globSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import postgres from "postgres";
import { ownPort } from "./own-port.ts";

export type PostgresServer = {
  /** Address of the database `postgres` for the superuser `supabase_admin`, who is called so on Supabase too. */
  url: string;
  /** `PostgreSQL 17.2`. */
  version: string;
  /** Ends the server and removes its folder. Both happen too when this process ends without asking. */
  stop(): Promise<void>;
};

const oldestMajor = 15; // `nulls not distinct`

/**
 * Starts a server in two seconds or so, of the newest version that the machine has, and with PostgreSQL's own default of
 * shared buffers, unless told. Throws when the machine has no PostgreSQL of version 15 or newer: what is to run at once must
 * not run one after the other without a word.
 */
export async function startPostgres({
  found = findPostgres().at(0),
  sharedBuffers = "128MB",
} = {}): Promise<PostgresServer> {
  if (!found) throw new Error("This needs PostgreSQL 15 or newer: install the package `postgresql`.");
  const folder = mkdtempSync(join(tmpdir(), "signet-postgres-"));
  const password = randomBytes(16).toString("hex");
  writeFileSync(join(folder, "password"), password, { mode: 0o600 });
  const owner = process.getuid?.() === 0 ? unprivilegedUser() : undefined; // PostgreSQL refuses to run as root
  if (owner) for (const path of [folder, join(folder, "password")]) chownSync(path, owner.uid, owner.gid);
  const port = await ownPort(55_000);

  const shell = spawn("sh", ["-c", script, found.bin, folder, String(port), sharedBuffers], {
    ...owner,
    cwd: "/",
    env: { ...process.env, LC_ALL: "C" },
    stdio: ["pipe", "ignore", "pipe"],
    detached: true, // Ctrl-C must not reach it: it ends the server itself when this process is gone
  });
  let log = "";
  const ready = new Promise<void>((resolve, reject) => {
    shell.stderr.on("data", (chunk: Buffer) => {
      log += chunk;
      if (log.includes("ready to accept connections")) resolve();
    });
    shell.once("error", reject);
    shell.once("exit", () => reject(new Error(`PostgreSQL did not start.\n${log}`)));
  });
  await ready;
  return {
    url: `postgresql://supabase_admin:${password}@127.0.0.1:${port}/postgres`,
    version: found.version,
    stop: async () => {
      if (shell.exitCode !== null) return;
      shell.stdin.end();
      await once(shell, "exit");
    },
  };
}

// $0 the programs' folder, $1 the server's folder, $2 the port, $3 its shared buffers. Standard input closes when the
// starting process ends, however it ends: then the server is stopped, and the folder goes.
const script = `
  trap 'rm -rf "$1"' EXIT
  "$0/initdb" -D "$1/data" -U supabase_admin --pwfile="$1/password" -A scram-sha-256 -E UTF8 --locale=C --no-sync || exit 1
  "$0/postgres" -D "$1/data" -p "$2" -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off \\
    -c client_min_messages=warning -c shared_buffers="$3" &
  server=$!
  exec 3<&0
  (cat <&3 >/dev/null; kill -INT $server) &
  wait $server
`;

/** The folders of PostgreSQL's programs that the machine has, one for each major version from 15, the newest first. */
export function findPostgres(): { bin: string; version: string; number: number }[] {
  const folders = [
    ...(process.env.PATH ?? "").split(delimiter),
    ...globSync(["/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql@*/bin"]),
  ];
  return folders
    .filter((folder) => existsSync(join(folder, "postgres")) && existsSync(join(folder, "initdb")))
    .map((bin) => {
      const said = spawnSync(join(bin, "postgres"), ["--version"], { encoding: "utf8" }).stdout;
      const number = /\d+(\.\d+)?/.exec(said)?.[0] ?? "0";
      return { bin, version: `PostgreSQL ${number}`, number: Number(number) };
    })
    .filter(({ number }) => number >= oldestMajor)
    .sort((one, other) => other.number - one.number)
    .filter(({ number }, index, all) => all.findIndex((f) => Math.floor(f.number) === Math.floor(number)) === index);
}

function unprivilegedUser() {
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = ["-u", "-g"].map((flag) => spawnSync("id", [flag, name], { encoding: "utf8" }).stdout.trim());
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error("PostgreSQL does not run as root, and there is no other user to run it as.");
}

/** The address of a new, empty database of a server. */
export async function createDatabase({ url }: PostgresServer, name: string): Promise<string> {
  const cluster = postgres(url, { max: 1 });
  await cluster.unsafe(`create database ${name}`);
  await cluster.end();
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}
