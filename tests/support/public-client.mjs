// Loaded before the application by `node --import`: each connection seems to come from a public address.
import { subscribe } from "node:diagnostics_channel";

subscribe("net.server.socket", ({ socket }) =>
  Object.defineProperty(socket, "remoteAddress", { get: () => "::ffff:203.0.113.7" }),
);
