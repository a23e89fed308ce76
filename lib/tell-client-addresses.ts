import { subscribe } from "node:diagnostics_channel";
import { IncomingMessage } from "node:http";
import { BlockList, isIPv4 } from "node:net";
import { z } from "zod";
import { connectedHeader } from "@/lib/client-address";

const begun = z.object({ request: z.instanceof(IncomingMessage) });

// Of this machine or network: whoever connects from there is a proxy, which speaks for many.
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
 * Adds the connected address to each request as a header, unless it is loopback or private.
 * A header, because middleware and pages can't see the connection.
 */
export function tellClientAddresses(): void {
  subscribe("http.server.request.start", (message) => {
    const { request } = begun.parse(message);
    const address = publicAddress(request.socket.remoteAddress ?? "");
    if (address === null) delete request.headers[connectedHeader];
    else request.headers[connectedHeader] = address;
  });
}

function publicAddress(connected: string): string | null {
  const address = connected
    .toLowerCase()
    .replace(/^::ffff:(?=\d+\.)/, "")
    .replace(/%.*$/, "");
  return address === "" || proxies.check(address, isIPv4(address) ? "ipv4" : "ipv6") ? null : address;
}
