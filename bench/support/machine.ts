import { spawnSync } from "node:child_process";
import { cpus, totalmem } from "node:os";
import nextPackage from "next/package.json" with { type: "json" };
import { root } from "../../harness/run-bench.ts";
import { findPostgres } from "../../scripts/local-stack/postgres-server.ts";
import { findRedisServer } from "../../scripts/local-stack/redis-server.ts";

/** The machine and the versions of the software, in two lines. */
export function describeMachine(): string {
  const [cpu] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const commit = outputOf("git", "describe", "--always", "--dirty", "--exclude=*");
  const redis = /v=(\S+)/.exec(outputOf(findRedisServer(), "--version"))?.[1];
  return [
    `${cpu?.model.trim()}, ${cpus().length} cores, ${gigabytes} GB of memory`,
    `Signet ${commit}, Node ${process.version.slice(1)}, PostgreSQL ${findPostgres().version}, Redis ${redis}, ` +
      `Next.js ${nextPackage.version}`,
  ].join("\n");
}

function outputOf(command: string, ...args: string[]) {
  return spawnSync(command, args, { cwd: root, encoding: "utf8" }).stdout.trim();
}
