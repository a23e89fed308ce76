import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { buildIfStale, serverEnv, serverOf } from "../scripts/local-stack/build.ts";
import { freePort } from "../scripts/local-stack/ports.ts";
import { ownEnvironment } from "./own-environment.ts";
import { atEnd, root, stopChild } from "./run-bench.ts";

const cpuSchema = z.object({ user: z.number(), system: z.number() });

// Loaded before the application. Reports its CPU time to the parent process.
const reportCpuTime = `data:text/javascript,process.on("message", () => process.send(process.cpuUsage()))`;

export type App = {
  url: string;
  pid: number;
  /** Its CPU time since it started. */
  cpuTimeMs(): Promise<number>;
};

/** Starts the application, built from the current sources or in a folder. It is stopped when the benchmark ends. */
export async function startedApp(env: Record<string, string | undefined>, folder: string = root): Promise<App> {
  if (folder === root) await buildIfStale();
  const port = await freePort(3230);
  const url = `http://localhost:${port}`;
  const app = spawn(process.execPath, ["--import", reportCpuTime, serverOf(folder)], {
    env: { ...ownEnvironment, ...env, ...serverEnv, SITE_URL: url, PORT: String(port) },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  atEnd(() => stopChild(app));
  const cpuTimeMs = async () => {
    const reported = once(app, "message");
    app.send("cpu");
    const { user, system } = cpuSchema.parse((await reported)[0]);
    return (user + system) / 1000;
  };
  for (let attempt = 0; attempt < 200; attempt++) {
    if ((await fetch(`${url}/login`).catch(() => undefined))?.ok) return { url, pid: app.pid ?? 0, cpuTimeMs };
    await wait(100);
  }
  throw new Error(`The application in ${folder} did not start.`);
}
