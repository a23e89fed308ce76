import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import { type ClientRequest, createServer, request as httpRequest, Server } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { limitBodies } from "../../../lib/server/limit-bodies.ts";

const largest = 1024 * 1024;
const context = new AsyncLocalStorage<string>();
const received: { size: number; sum: number; context: string | undefined }[] = [];
const server = createServer(async (request, response) => {
  const begunIn = context.getStore();
  let [size, sum] = [0, 0];
  for await (const chunk of request) for (const byte of chunk) [size, sum] = [size + 1, (sum * 31 + byte) % 1_000_003];
  received.push({ size, sum, context: begunIn });
  response.end("received");
});
const { emit } = Server.prototype;

beforeAll(async () => {
  limitBodies();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
beforeEach(() => void received.splice(0));
afterAll(() => {
  Server.prototype.emit = emit;
  server.closeAllConnections();
  server.close();
});

const body = (size: number) => Buffer.from(Array.from({ length: size }, (_, index) => index % 251));
const sumOf = (bytes: Buffer) => bytes.reduce((sum, byte) => (sum * 31 + byte) % 1_000_003, 0);

function open(headers: Record<string, string | number>): ClientRequest {
  const { port } = z.object({ port: z.int() }).parse(server.address());
  return httpRequest({ host: "127.0.0.1", port, method: "POST", headers });
}
async function answerTo(request: ClientRequest) {
  const [response] = await once(request, "response");
  return { status: response.statusCode, type: response.headers["content-type"], text: await text(response) };
}
const refused = {
  status: 413,
  type: "application/json",
  text: '{"error":"The request is larger than 1 MB. Send less at a time."}',
};

test.each([
  ["with its length", (size: number) => ({ "content-length": size })],
  ["in chunks", () => ({ "transfer-encoding": "chunked" })],
])("passes on a body of 1 MB %s as it came", async (_how, headers) => {
  for (const size of [0, 1, largest]) {
    const request = open(headers(size));
    const bytes = body(size);
    for (let index = 0; index < size; index += 50_000) request.write(bytes.subarray(index, index + 50_000));
    request.end();
    expect(await answerTo(request)).toMatchObject({ status: 200, text: "received" });
    expect(received.splice(0)).toEqual([{ size, sum: sumOf(bytes), context: undefined }]);
  }
});

test("returns 413 for a longer content-length before any of the body has come", async () => {
  const request = open({ "content-length": largest + 1 });
  request.flushHeaders();
  expect(await answerTo(request)).toEqual(refused);
  expect(received).toEqual([]);
  request.destroy();
});

test("returns 413 for longer chunks while they come, and passes nothing on", async () => {
  const request = open({ "transfer-encoding": "chunked" });
  request.write(body(largest + 1));
  expect(await answerTo(request)).toEqual(refused);
  const closed = new Promise((resolve) => request.once("close", resolve));
  request.once("error", () => {}); // the server may reset the connection
  request.end(body(9 * largest));
  await closed;
  expect(received).toEqual([]);
});

test("passes chunks on in the context of their request", async () => {
  const begin = (_request: unknown) => context.enterWith("of the request");
  const diagnostics = await import("node:diagnostics_channel");
  diagnostics.subscribe("http.server.request.start", begin);
  const request = open({ "transfer-encoding": "chunked" });
  request.write("a");
  await new Promise((later) => setTimeout(later, 20));
  request.end("b");
  await answerTo(request);
  diagnostics.unsubscribe("http.server.request.start", begin);
  expect(received).toMatchObject([{ size: 2, context: "of the request" }]);
});
