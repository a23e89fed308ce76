import { randomUUID } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";
import { IncomingMessage, ServerResponse } from "node:http";
import { BlockList, isIPv4 } from "node:net";
import { z } from "zod";
import { connectionHeader } from "@/lib/client-address";
import { currentRequest } from "@/lib/log-event";

const idHeader = "x-request-id";
const idPattern = /^[\w.-]{8,64}$/;
const startSchema = z.object({ request: z.instanceof(IncomingMessage), response: z.instanceof(ServerResponse) });

// Addresses of this machine or network belong to proxies, each of which serves many clients.
const proxies = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const) {
  proxies.addSubnet(network, bits);
}
for (const [network, bits] of [
  ["::", 127],
  ["fc00::", 7],
  ["fe80::", 10],
] as const) {
  proxies.addSubnet(network, bits, "ipv6");
}

/**
 * Gives each request to this process an id: a well-formed one from a proxy, or a new one. Also adds the address of its
 * connection, unless it is loopback or private. Both are headers, because the middleware and pages can't see the connection.
 */
export function identifyRequests(): void {
  subscribe("http.server.request.start", (message) => {
    const { request, response } = startSchema.parse(message);
    const sentId = request.headers[idHeader];
    const id = typeof sentId === "string" && idPattern.test(sentId) ? sentId : randomUUID();
    request.headers[idHeader] = id;
    response.setHeader(idHeader, id);
    currentRequest.enterWith({ id, response });
    const address = publicAddress(request.socket.remoteAddress ?? "");
    if (address === null) delete request.headers[connectionHeader];
    else request.headers[connectionHeader] = address;
  });
}

function publicAddress(connected: string): string | null {
  const address = connected
    .toLowerCase()
    .replace(/^::ffff:(?=\d+\.)/, "")
    .replace(/%.*$/, "");
  return address === "" || proxies.check(address, isIPv4(address) ? "ipv4" : "ipv6") ? null : address;
}
