import { connect, createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { certificate, privateKey } from "./tls-certificate.ts";

/** A proxy in front of Redis for what the server can't cause: a slow network, broken connections, and TLS. */
export async function startRedisProxy(targetPort: number, { port = 0, secure = false } = {}) {
  const sockets = new Set<Socket>();
  const state = {
    url: "",
    /** The port of the server. */
    targetPort,
    /** The delay of each chunk of a reply. */
    delayMs: 0,
    /** What happens to existing and new connections. */
    mode: "pass" as "pass" | "reset" | "close" | "silent",
    /** Sets the mode, and ends existing connections accordingly. */
    setMode(mode: "pass" | "reset" | "close" | "silent") {
      state.mode = mode;
      if (mode === "pass" || mode === "silent") return;
      for (const socket of sockets) end(socket);
    },
    openCount: () => sockets.size,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  const end = (socket: Socket) => (state.mode === "reset" ? socket.resetAndDestroy() : socket.destroy());
  const serve = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
    if (state.mode === "reset" || state.mode === "close") {
      socket.once("data", () => end(socket));
      return;
    }
    const upstream = connect(state.targetPort, "127.0.0.1");
    upstream.on("error", () => socket.destroy());
    upstream.once("close", () => socket.destroy());
    socket.once("close", () => upstream.destroy());
    socket.on("data", (piece) => upstream.write(piece));
    upstream.on("data", (piece) => {
      if (state.mode === "silent") return;
      if (state.delayMs === 0) socket.write(piece);
      else setTimeout(() => socket.writable && socket.write(piece), state.delayMs);
    });
  };
  const server = secure ? createTlsServer({ cert: certificate, key: privateKey }, serve) : createServer(serve);
  await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
  const address = server.address();
  state.url = `${secure ? "rediss" : "redis"}://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  return state;
}
