import { createServer } from "node:net";

/** A free port: the preferred one, else the next free one after it, else any. */
export async function freePort(preferred: number): Promise<number> {
  for (let port = preferred; port < preferred + 20; port++) {
    if (await isFree(port)) return port;
  }
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        typeof address === "object" && address ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}

// Both addresses, one after the other: a server of another program may listen on all of them.
async function isFree(port: number) {
  return (await canListen(port, "127.0.0.1")) && (await canListen(port, "::"));
}

function canListen(port: number, host: string) {
  return new Promise<boolean>((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => {
      resolve(error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT"); // no IPv6 here: nothing to collide with
    });
    server.listen({ port, host }, () => server.close(() => resolve(true)));
  });
}
