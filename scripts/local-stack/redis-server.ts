import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { Refusal, report } from "./report.ts";

const installers = [
  { tool: "apt-get", command: "apt-get update && apt-get install -y --no-install-recommends redis-server", root: true },
  { tool: "dnf", command: "dnf install -y redis || dnf install -y valkey", root: true },
  { tool: "apk", command: "apk add redis", root: true },
  { tool: "pacman", command: "pacman -S --noconfirm valkey", root: true },
  { tool: "brew", command: "brew install redis", root: false },
];

/** The path of a Redis or Valkey server. Installs one where this user may; else refuses with the command to run. */
export function findRedisServer(): string {
  const found = findInPath("redis-server") ?? findInPath("valkey-server");
  if (found) return found;
  const installer = installers.find(({ tool }) => findInPath(tool));
  if (!installer) throw new Refusal("Signet needs Redis: install redis-server, or set REDIS_URL.");
  const isRoot = process.getuid?.() === 0;
  if (installer.root && !isRoot) {
    throw new Refusal(`Signet needs Redis. Run: sudo sh -c '${installer.command}'   (or set REDIS_URL)`);
  }
  report(`Installing Redis: ${installer.command}`);
  const result = spawnSync("sh", ["-c", installer.command], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  const installed = findInPath("redis-server") ?? findInPath("valkey-server");
  if (result.status !== 0 || !installed) throw new Refusal(`Redis could not be installed. Run: ${installer.command}`);
  return installed;
}

function findInPath(name: string) {
  for (const folder of [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"]) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // not here
    }
  }
  return undefined;
}
