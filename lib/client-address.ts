import { z } from "zod";
import { trustedProxies } from "@/lib/env";

const addressSchema = z.union([z.ipv4(), z.ipv6()]);

/** Request header in which `identifyRequests` puts the address of the connection; what a client sends in it is dropped. */
export const connectionHeader = "x-signet-connected";

/**
 * The client's IP address. With TRUSTED_PROXIES, the entry that the outermost of them added to `X-Forwarded-For`, counted
 * from the right; entries left of it are the client's own claims. Otherwise the
 * connection's address, which is null if it is loopback or private. With proxies, null if there are fewer entries than
 * proxies or the entry isn't an address.
 */
export function clientAddress(headers: Headers): string | null {
  const proxies = trustedProxies();
  if (proxies === 0) return headers.get(connectionHeader);
  const entry = headers.get("x-forwarded-for")?.split(",").at(-proxies)?.trim().toLowerCase();
  const address = entry
    ?.replace(/^\[(.*)\](:\d+)?$/, "$1") // with a port, as some proxies write it
    .replace(/^([\d.]+):\d+$/, "$1")
    .replace(/^::ffff:(?=\d+\.)/, "");
  return addressSchema.safeParse(address).data ?? null;
}

/** One client: an IPv4 address, or the first 64 bits of an IPv6 address, because clients choose the rest. */
export function clientNetwork(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail = ""] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const groups = (part: string) => part.split(":").filter(Boolean);
  const zeros = Array<string>(8 - groups(head).length - groups(tail).length).fill("0");
  return [...groups(head), ...zeros, ...groups(tail)].slice(0, 4).join(":");
}
