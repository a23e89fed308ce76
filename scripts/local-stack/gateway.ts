import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { serveMailbox } from "./mailbox.ts";
import type { Database } from "./open-database.ts";

/**
 * The server at the URL of the local Supabase. Edge functions serve `/functions/v1/`; `/mail` shows the emails of Auth and
 * Signet; Auth and REST serve everything else.
 */
export function createGateway(database: Pick<Database, "fetch" | "emails">, functionsPort: number): Server {
  const listener = getRequestListener(
    (request) =>
      new URL(request.url).pathname === "/mail" ? serveMailbox(request, database.emails) : database.fetch(request),
    { overrideGlobalObjects: false },
  );
  return createServer((incoming, outgoing) => {
    const path = incoming.url ?? "/";
    const functionPath = /^\/functions\/v1(\/.*)$/.exec(path)?.[1]; // as on Supabase, a function only sees its own path
    if (path.startsWith("/auth/v1/factors")) refuseFactors(outgoing);
    else if (functionPath) forward(incoming, outgoing, functionsPort, functionPath);
    else void listener(incoming, outgoing);
  });
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, port: number, path: string) {
  const upstream = request({ host: "127.0.0.1", port, path, method: incoming.method, headers: incoming.headers });
  upstream.once("response", (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(outgoing);
  });
  upstream.once("error", () => {
    if (outgoing.headersSent) return outgoing.destroy();
    outgoing
      .writeHead(502, { "Content-Type": "application/json" })
      .end('{"error":"This part of the stack is unreachable."}');
  });
  outgoing.once("close", () => upstream.destroy());
  incoming.pipe(upstream);
}

// The local Auth has no second factors. It responds as Supabase does if they are turned off.
function refuseFactors(outgoing: ServerResponse) {
  const body = { code: 422, error_code: "mfa_totp_enroll_not_enabled", msg: "MFA enroll is disabled for TOTP" };
  outgoing.writeHead(422, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}
