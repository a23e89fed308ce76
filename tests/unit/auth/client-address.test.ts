import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { clientAddress, clientNetwork } from "../../../lib/client-address.ts";
import { identifyRequests } from "../../../lib/server/identify-requests.ts";

let connected = "";
const server = createServer((request, response) => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
  response.end(String(clientAddress(headers)));
});
server.on("connection", (socket) => Object.defineProperty(socket, "remoteAddress", { value: connected }));
beforeAll(async () => {
  identifyRequests();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => void server.close());

async function addressOf(client: string, headers: Record<string, string | string[]>) {
  connected = client;
  const { port } = z.object({ port: z.int() }).parse(server.address());
  const [response] = await once(httpRequest({ host: "127.0.0.1", port, headers, agent: false }).end(), "response");
  return text(response);
}
const spoofed = {
  "X-Signet-Connected": ["198.51.100.1", "198.51.100.2"],
  "x-forwarded-for": "198.51.100.3",
  forwarded: "for=198.51.100.4",
  "x-real-ip": "198.51.100.5",
};

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:DB8::7", "2001:db8::7"],
  ["172.32.0.1", "172.32.0.1"],
  ["127.0.0.1", "null"],
  ["::1", "null"],
  ["::ffff:10.1.2.3", "null"],
  ["172.31.255.255", "null"],
  ["192.168.1.1", "null"],
  ["100.64.0.1", "null"],
  ["169.254.1.1", "null"],
  ["fd12::1", "null"],
  ["fe80::1%eth0", "null"],
  ["", "null"],
])("without TRUSTED_PROXIES a client connected from %s counts as %s, whatever it sends", async (client, address) => {
  for (const proxies of ["", "0"]) {
    vi.stubEnv("TRUSTED_PROXIES", proxies);
    expect(await addressOf(client, spoofed)).toBe(address);
  }
});

test("with TRUSTED_PROXIES the outermost proxy names the client", async () => {
  vi.stubEnv("TRUSTED_PROXIES", "1");
  for (const client of ["203.0.113.7", "127.0.0.1"]) expect(await addressOf(client, spoofed)).toBe("198.51.100.3");
});

test.each([
  ["2", "203.0.113.1, 203.0.113.2, 203.0.113.3", "203.0.113.2"],
  ["1", "203.0.113.1,::ffff:203.0.113.2", "203.0.113.2"],
  ["1", "2001:DB8::1", "2001:db8::1"],
  ["3", "203.0.113.1, 203.0.113.2", null],
  ["1", "203.0.113.1, unknown", null],
  ["1", "203.0.113.1, 203.0.113.2:4711", "203.0.113.2"],
  ["1", "[2001:db8::1]:443", "2001:db8::1"],
  ["1", "203.0.113.1, 203.0.113.2:4711:9", null],
  ["1", "203.0.113.1, ", null],
  ["1", "", null],
  ["0", "203.0.113.1", null],
  ["", "203.0.113.1", null],
])("with TRUSTED_PROXIES=%s, X-Forwarded-For: %s names %s", (proxies, header, address) => {
  vi.stubEnv("TRUSTED_PROXIES", proxies);
  expect(clientAddress(new Headers({ "x-forwarded-for": header }))).toBe(address);
});

test.each([
  ["1:0:0:4:5:6:7:8", "1:0:0:4"],
  ["1::4:5:6:7:8", "1:0:0:4"],
  ["2001:db8::1", "2001:db8:0:0"],
  ["2001:db8:0:1:ffff::", "2001:db8:0:1"],
  ["::1", "0:0:0:0"],
  ["203.0.113.7", "203.0.113.7"],
])("counts %s as the client %s", (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});
