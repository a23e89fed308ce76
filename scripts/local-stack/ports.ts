import { createServer, type Server } from "node:net";

/** Makes a server listen on 127.0.0.1, on the preferred port, otherwise on one of the next, otherwise on any. Returns the port. */
export async function listenNear(server: Server, preferred?: number): Promise<number> {
  for (let next = 0; preferred !== undefined && next < 20; next++) {
    const port = preferred + next;
    if ((await canListen(port, "::")) && (await listen(server, port))) return port;
  }
  await listen(server, 0);
  return readPort(server);
}

/** A free port: the preferred one, otherwise one of the next, otherwise any. */
export async function freePort(preferred?: number): Promise<number> {
  const server = createServer();
  const port = await listenNear(server, preferred);
  await new Promise((closed) => server.close(closed));
  return port;
}

function listen(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => (error.code === "EADDRINUSE" ? resolve(false) : reject(error));
    server.once("error", refuse);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", refuse);
      resolve(true);
    });
  });
}

// Another program may listen on all addresses, and 127.0.0.1 would still look free.
function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => {
      resolve(error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT"); // no IPv6 on this machine
    });
    server.listen({ port, host }, () => server.close(() => resolve(true)));
  });
}

function readPort(server: Server) {
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("The server does not listen.");
  return address.port;
}
