// Loaded before the application by `node --import`: whoever connects to it seems to come from an address of the internet.
import { subscribe } from "node:diagnostics_channel";

subscribe("net.server.socket", ({ socket }) =>
  Object.defineProperty(socket, "remoteAddress", { get: () => "::ffff:203.0.113.7" }),
);
