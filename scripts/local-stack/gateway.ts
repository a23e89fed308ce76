import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";

/** The one address of the local Supabase: `/functions/v1/` goes to the edge functions, the rest to the database. */
export function startGateway(ports: { gateway: number; database: number; functions: number }): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? "/";
    const rest = /^\/functions\/v1(\/.*)$/.exec(path)?.[1]; // as on Supabase, a function sees its own path alone
    if (rest) forward(incoming, outgoing, ports.functions, rest);
    else forward(incoming, outgoing, ports.database, path);
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(ports.gateway, "127.0.0.1", () => resolve(server));
  });
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, port: number, path: string) {
  const upstream = request({ host: "127.0.0.1", port, path, method: incoming.method, headers: incoming.headers });
  upstream.once("response", (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  upstream.once("error", () => {
    if (outgoing.headersSent) return outgoing.destroy();
    outgoing.writeHead(502, { "Content-Type": "application/json" }).end('{"error":"This part of the stack is away."}');
  });
  outgoing.once("close", () => upstream.destroy());
  incoming.pipe(upstream);
}
