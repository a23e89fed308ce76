import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { ownPort } from "../../../harness/own-port.ts";
import { endInstance, startInstance } from "../../../harness/two-instances.ts";
import { openPage } from "../../support/browser.ts";
import { env } from "../../support/demo.ts";

// An instance whose Supabase is unreachable: failures are found in its log by the id in the answer and on the page.

const folder = mkdtempSync(join(tmpdir(), "signet-log-"));
const logFile = join(folder, "application.log");
const port = await ownPort(3480);
const url = `http://localhost:${port}`;
const unreachable = {
  ...env,
  NEXT_PUBLIC_SUPABASE_URL: "http://127.0.0.1:1",
  REDIS_URL: "redis://127.0.0.1:1",
};
const instance = await startInstance({ port, env: unreachable, logFile });
afterAll(async () => {
  await endInstance(instance);
  rmSync(folder, { recursive: true });
});

const token = randomBytes(32).toString("base64url");
const failing = `${url}/invitation/${token}`;
const failures = () =>
  readFileSync(logFile, "utf8")
    .split("\n")
    .filter((line) => line.startsWith('{"event":"failed"'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const failureOf = (request: string | null | undefined) =>
  vi.waitUntil(() => failures().find((line) => line.request === request), { timeout: 5_000 });
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

test.each(["/login", "/nothing/at/all", "/%ff", "/icon.svg", "/_next/static/nothing.js", "/api/health", "/api/go"])(
  "%s: the answer has the id of a proxy if it is valid, or a new one",
  async (path) => {
    for (const sent of ["from-the-proxy-1", "0123456789abcdef.0123_ABCDEF"]) {
      const { headers } = await fetch(url + path, { headers: { "x-request-id": sent } });
      expect(headers.get("x-request-id")).toBe(sent);
    }
    for (const sent of ["", "short", "with space", '","event":"forged', "x".repeat(65)]) {
      const { headers } = await fetch(url + path, { headers: { "x-request-id": sent } });
      expect(headers.get("x-request-id")).toMatch(uuid);
    }
  },
);

test("a page that fails shows the id of its request, which is logged with what failed", async () => {
  const page = await openPage(null);
  const response = await page.goto(failing);
  const id = response?.headers()["x-request-id"];
  await page.getByText(`Error ${id}`).waitFor();
  expect(await failureOf(id)).toEqual({
    event: "failed",
    at: expect.any(String),
    request: id,
    method: "GET",
    route: "/invitation/[token]",
    routeType: "render",
    digest: id,
    message: expect.stringMatching(/Try again in a moment\.$/),
  });
});

test("the same applies when only a part of the page is fetched", async () => {
  const response = await fetch(failing, { headers: { rsc: "1" } });
  const id = response.headers.get("x-request-id");
  expect(await response.text()).toContain(`E{"digest":"${id}"}`);
  expect(await failureOf(id)).toMatchObject({ digest: id });
});

test("what a route refuses is logged with the id of its request", async () => {
  const headers = {
    cookie: "sb-127-auth-token=base64-e30",
    "content-type": "application/json",
    "x-request-id": "the-route-1",
  };
  const { status } = await fetch(`${url}/api/duplicate`, { method: "POST", headers, body: "{}" });
  expect(status).toBe(401);
  const refused = await vi.waitUntil(() =>
    /{"event":"refused".*"request":"the-route-1".*}/.exec(readFileSync(logFile, "utf8")),
  );
  expect(JSON.parse(refused[0])).toMatchObject({ event: "refused", request: "the-route-1", route: "/api/duplicate" });
});

test("requests at once over one connection have separate ids", async () => {
  const ids = Array.from({ length: 40 }, (_, number) => `at-once-${number}`);
  await Promise.all(ids.map((id) => fetch(failing, { headers: { "x-request-id": id } })));
  for (const id of ids) expect(await failureOf(id)).toMatchObject({ digest: id });
});

test("no address, key or cookie is in the log", () => {
  const log = readFileSync(logFile, "utf8");
  for (const secret of [token, "sb_secret", "sb_publishable", "base64-"])
    expect([secret, log.includes(secret)]).toEqual([secret, false]);
});
