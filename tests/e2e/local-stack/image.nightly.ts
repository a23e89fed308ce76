import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { ownEnvironment } from "../../../harness/own-environment.ts";
import { ownPort } from "../../../harness/own-port.ts";
import { env } from "../../support/demo.ts";
import { cookieOf } from "../../support/session-cookies.ts";

// The steps of the Dockerfile without Docker: its script, then its command as a user who can't write.

const dockerfile = readFileSync("Dockerfile", "utf8");
const commandOf = (line: RegExp) => z.array(z.string()).parse(JSON.parse(line.exec(dockerfile)?.[1] ?? ""));
const command = commandOf(/^CMD (.+)$/m);
const healthCommand = commandOf(/^HEALTHCHECK .*CMD (.+)$/m);
const [, settings = ""] = /^ENV (.+)$/m.exec(dockerfile) ?? [];
const imageEnv = Object.fromEntries(settings.split(" ").map((setting) => setting.split("=")));

const folder = mkdtempSync(join(tmpdir(), "signet-image-"));
const [checkout, image] = [join(folder, "checkout"), join(folder, "image")];
const planted = "sb_secret_planted";
const builderEnv = {
  ...ownEnvironment,
  BUILD_ID: "build-of-the-drill",
  NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
};

function runIn(cwd: string, program: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env: builderEnv, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}\n${stdout}\n${stderr}`);
  return stdout;
}

beforeAll(() => {
  chmodSync(folder, 0o755);
  for (const file of runIn(".", "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")) {
    if (file) cpSync(file, join(checkout, file));
  }
  writeFileSync(join(checkout, ".env"), `SUPABASE_SECRET_KEY=${planted}\n`);
  runIn(checkout, "sh", "scripts/image.sh", image);
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }), 300_000); // node_modules too

const filesOf = (place: string) =>
  globSync("**/*", { cwd: place, withFileTypes: true, exclude: () => false })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

test("the image serves from its folder, writes nothing there, and reports its health", async () => {
  const port = String(await ownPort(3490));
  const own = {
    ...env,
    ...imageEnv,
    PORT: port,
    SITE_URL: `http://localhost:${port}`,
    PATH: dirname(process.execPath),
  };
  const as = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const isWell = () =>
    spawnSync(healthCommand[0] ?? "", healthCommand.slice(1), { env: own, cwd: image, ...as }).status;
  runIn(folder, "chmod", "-R", "a-w", image);
  const before = filesOf(image).map((file) => [file, statSync(file).mtimeMs]);
  expect(isWell()).toBe(1);

  const server = spawn(command[0] ?? "", command.slice(1), { env: own, cwd: image, ...as, stdio: "ignore" });
  const ended = once(server, "exit");
  try {
    await expect.poll(isWell, { timeout: 20_000 }).toBe(0);
    const fetchPage = (path: string) => fetch(`http://localhost:${port}${path}`, { headers: { cookie } });
    const cookie = await cookieOf("admin");
    const page = await fetchPage("/riverside/campaign/clean-water");
    expect(page.status).toBe(200);
    const files = (await page.text()).match(/\/_next\/static\/[^"\\]+\.(?:js|css|woff2)/g) ?? [];
    expect(files.length).toBeGreaterThan(5);
    for (const file of new Set(files)) expect([file, (await fetchPage(file)).status]).toEqual([file, 200]);
    expect((await fetchPage("/icon.svg")).status).toBe(200);
  } finally {
    server.kill("SIGTERM");
    await ended;
  }
  expect(filesOf(image).map((file) => [file, statSync(file).mtimeMs])).toEqual(before);
}, 120_000);

test("the image contains no settings of its builder", () => {
  const files = filesOf(image);
  expect(files.filter((file) => /\/\.env/.test(file))).toEqual([]);
  expect(files.filter((file) => readFileSync(file).includes(planted))).toEqual([]);
});

test("another builder with the same key and id makes a compatible image", () => {
  const elsewhere = join(folder, "elsewhere");
  renameSync(checkout, elsewhere);
  rmSync(join(elsewhere, ".next"), { recursive: true });
  runIn(elsewhere, "npm", "run", "build");
  for (const file of ["BUILD_ID", "server/server-reference-manifest.json"]) {
    const [here = "", there] = [image, join(elsewhere, ".next/standalone")].map((place) =>
      readFileSync(join(place, ".next", file), "utf8"),
    );
    expect(there).toBe(here);
    expect(here).toContain(file === "BUILD_ID" ? builderEnv.BUILD_ID : builderEnv.NEXT_SERVER_ACTIONS_ENCRYPTION_KEY);
  }
}, 300_000);

test("the image has the Node.js version of the tests", () => {
  const { devDependencies } = z
    .looseObject({ devDependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync("package.json", "utf8")));
  for (const [, version] of dockerfile.matchAll(/^FROM node:([\d.]+)-/gm)) expect(version).toBe(devDependencies.node);
});
