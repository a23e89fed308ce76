import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { logProgress, UserError } from "../cli.ts";

const installers = [
  {
    tool: "apt-get",
    command: "apt-get update && apt-get install -y --no-install-recommends redis-server",
    needsRoot: true,
  },
  { tool: "dnf", command: "dnf install -y redis || dnf install -y valkey", needsRoot: true },
  { tool: "apk", command: "apk add redis", needsRoot: true },
  { tool: "pacman", command: "pacman -S --noconfirm valkey", needsRoot: true },
  { tool: "brew", command: "brew install redis", needsRoot: false },
];

const searchedFolders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];

/**
 * The path of a Redis or Valkey server in one of the folders. If there is none, installs one; without the right to, throws
 * a UserError with the command to run.
 */
export function findRedisServer(folders = searchedFolders, isRoot = process.getuid?.() === 0): string {
  const find = () => findProgram("redis-server", folders) ?? findProgram("valkey-server", folders);
  const found = find();
  if (found) return found;
  const installer = installers.find(({ tool }) => findProgram(tool, folders));
  if (!installer) throw new UserError("Signet needs Redis: install redis-server, or set REDIS_URL.");
  if (installer.needsRoot && !isRoot) {
    throw new UserError(`Signet needs Redis. Run: sudo sh -c '${installer.command}'   (or set REDIS_URL)`);
  }
  logProgress(`Installing Redis: ${installer.command}`);
  const result = spawnSync("sh", ["-c", installer.command], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  const installed = find();
  if (result.status !== 0 || !installed) throw new UserError(`Couldn't install Redis. Run: ${installer.command}`);
  return installed;
}

function findProgram(name: string, folders: string[]) {
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
