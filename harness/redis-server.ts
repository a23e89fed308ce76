import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../scripts/local-stack/ports.ts";
import { findRedisServer } from "../scripts/local-stack/redis-server.ts";

/** Starts an in-memory Redis that can be killed, frozen and restarted on the same port. */
export async function startRedis({ settings = [], near }: { settings?: string[]; near?: number } = {}) {
  let port = await freePort(near);
  const folder = mkdtempSync(join(tmpdir(), "signet-redis-"));
  const start = async () => {
    const options = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder, ...settings];
    const server = spawn(findRedisServer(), options, { stdio: ["ignore", "pipe", "ignore"] });
    let printed = "";
    await new Promise<void>((ready, failed) => {
      server.stdout.on("data", (chunk: Buffer) => {
        printed += chunk;
        if (printed.includes("Ready to accept connections")) ready();
      });
      server.once("exit", () => failed(new Error(`Redis did not start.\n${printed}`)));
    });
    return server;
  };
  let server = await start().catch(async () => {
    port = await freePort(near); // another process took the port
    return start();
  });
  const kill = () => void server.kill("SIGKILL");
  process.once("exit", kill);
  const stop = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    kill();
    await ended;
  };
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    /** The path of the dump that it loads at startup. */
    dump: join(folder, "dump.rdb"),
    isRunning: () => server.exitCode === null && server.signalCode === null,
    /** Kills it; its data is lost. */
    stop,
    async restart() {
      await stop();
      server = await start();
    },
    /** Keeps connections open without responding, until `thaw`. */
    freeze: () => void server.kill("SIGSTOP"),
    thaw: () => void server.kill("SIGCONT"),
    async close() {
      process.off("exit", kill);
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
