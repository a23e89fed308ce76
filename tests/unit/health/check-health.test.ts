import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { processWide } from "../../../lib/process-wide.ts";

// A fake Supabase that counts requests; Redis is unreachable.

let server: Server;
let requests: string[];
let reply: RequestListener;
let health: typeof import("../../../lib/health/health.ts");

beforeEach(async () => {
  requests = [];
  reply = (request, response) => {
    const isFunction = request.url?.startsWith("/functions/");
    response.writeHead(isFunction ? 401 : 200, { "content-type": "application/json" }).end("[]");
  };
  server = createServer((request, response) => {
    requests.push(request.url?.split("?")[0] ?? "");
    reply(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = z.object({ port: z.int() }).parse(server.address());
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_URL", `http://127.0.0.1:${port}`);
  vi.useFakeTimers({ toFake: ["performance"] });
  health = await import("../../../lib/health/health.ts");
});

afterEach(async () => {
  vi.useRealTimers();
  Object.assign(processWide("health", Object), { check: undefined, beganAt: 0 });
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

const oneCheck = ["/functions/v1/get-permissions-snapshot", "/rest/v1/permission_keys"];
const well = { database: true, snapshotFunction: true, redis: false };
const ill = { database: false, snapshotFunction: false, redis: false };
const callers = (count: number) => Promise.all(Array.from({ length: count }, () => health.knownHealth()));

test("runs one check for 200 callers at once", async () => {
  expect(await callers(200)).toEqual(Array.from({ length: 200 }, () => well));
  expect(requests.toSorted()).toEqual(oneCheck);
});

test("runs the next check after 5 s, again one for all", async () => {
  await callers(1);
  reply = (_request, response) => response.writeHead(500).end();
  vi.advanceTimersByTime(4_999);
  expect(await callers(200)).toEqual(Array.from({ length: 200 }, () => well));
  expect(requests).toHaveLength(2);
  vi.advanceTimersByTime(1);
  expect(await callers(200)).toEqual(Array.from({ length: 200 }, () => ill));
  expect(requests).toHaveLength(4);
});

test("checks again for an operator, whatever callers were answered before", async () => {
  await callers(1);
  reply = (_request, response) => response.writeHead(500).end();
  expect(await health.checkHealth()).toEqual(ill);
  expect(await callers(1)).toEqual([well]);
});

test("treats what doesn't answer within 2 s as unreachable", async () => {
  vi.useRealTimers();
  reply = () => undefined;
  const began = performance.now();
  expect(await callers(200)).toEqual(Array.from({ length: 200 }, () => ill));
  expect(performance.now() - began).toBeLessThan(3_000);
  expect(requests).toHaveLength(2);
});
