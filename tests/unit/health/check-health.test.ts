import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { processWide } from "../../../lib/process-wide.ts";

// A Supabase that counts what arrives; Redis is away.

let server: Server;
let arrived: string[];
let reply: RequestListener;
let health: typeof import("../../../lib/health/health.ts");

beforeEach(async () => {
  arrived = [];
  reply = (request, response) => {
    const isFunction = request.url?.startsWith("/functions/");
    response.writeHead(isFunction ? 401 : 200, { "content-type": "application/json" }).end("[]");
  };
  server = createServer((request, response) => {
    arrived.push(request.url?.split("?")[0] ?? "");
    reply(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = z.object({ port: z.int() }).parse(server.address());
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_URL", `http://127.0.0.1:${port}`);
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY", "sb_publishable_test");
  vi.stubEnv("SUPABASE_SECRET_KEY", "sb_secret_test");
  vi.stubEnv("REDIS_URL", "redis://127.0.0.1:1");
  vi.useFakeTimers({ toFake: ["performance"] });
  health = await import("../../../lib/health/health.ts");
});

afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  Object.assign(processWide("health", Object), { check: undefined, beganAt: 0 });
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

const oneCheck = ["/functions/v1/get-permissions-snapshot", "/rest/v1/permission_keys"];
const well = { database: true, snapshotFunction: true, redis: false };
const ill = { database: false, snapshotFunction: false, redis: false };
const strangers = (count: number) => Promise.all(Array.from({ length: count }, () => health.knownHealth()));

test("200 strangers at once cause one check, and learn what it found", async () => {
  expect(await strangers(200)).toEqual(Array.from({ length: 200 }, () => well));
  expect(arrived.toSorted()).toEqual(oneCheck);
});

test("strangers cause the next check after 5 s, again one for all", async () => {
  await strangers(1);
  reply = (_request, response) => response.writeHead(500).end();
  vi.advanceTimersByTime(4_999);
  expect(await strangers(200)).toEqual(Array.from({ length: 200 }, () => well));
  expect(arrived).toHaveLength(2);
  vi.advanceTimersByTime(1);
  expect(await strangers(200)).toEqual(Array.from({ length: 200 }, () => ill));
  expect(arrived).toHaveLength(4);
});

test("a check of its own asks anew, whatever strangers were told", async () => {
  await strangers(1);
  reply = (_request, response) => response.writeHead(500).end();
  expect(await health.checkHealth()).toEqual(ill);
  expect(await strangers(1)).toEqual([well]);
});

test("what never answers counts as away after 2 s", async () => {
  vi.useRealTimers();
  reply = () => undefined;
  const began = performance.now();
  expect(await strangers(200)).toEqual(Array.from({ length: 200 }, () => ill));
  expect(performance.now() - began).toBeLessThan(3_000);
  expect(arrived).toHaveLength(2);
});
