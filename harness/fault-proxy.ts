import { createServer, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { listenNear } from "../scripts/local-stack/ports.ts";

/** Whether a part of Supabase fails, is slow, or never responds. */
export type Fault = "down" | "slow" | "frozen";

const slowDelayMs = 1_000;

/** A proxy in front of Supabase that simulates outages, complete or partial, and slow responses of the snapshot function. */
export async function startFaultProxy(target: string) {
  const { hostname, port } = new URL(target);
  const state = {
    url: "",
    /** Returns 502 for everything. */
    down: false,
    /** A fault, and the beginning of the paths that it affects. */
    pathFault: null as { path: string; fault: Fault } | null,
    /** The number of calls of the snapshot function so far. */
    calls: 0,
    /** Forwards calls of the snapshot function one at a time. */
    forwardsOneAtATime: false,
    /** Runs between the function's response and its delivery to the application. */
    beforeResponse: undefined as ((query: URLSearchParams) => Promise<void>) | undefined,
    close: () => server.close(),
  };
  let last = Promise.resolve();
  const server = createServer(async (incoming, outgoing) => {
    const url = new URL(incoming.url ?? "/", target);
    const fault = state.down
      ? "down"
      : state.pathFault && url.pathname.startsWith(state.pathFault.path)
        ? state.pathFault.fault
        : null;
    if (fault === "down") {
      outgoing.writeHead(502).end();
      return;
    }
    if (fault === "frozen") return;
    if (fault === "slow") await wait(slowDelayMs);
    const isSnapshot = url.pathname.endsWith("/get-permissions-snapshot");
    if (isSnapshot) state.calls += 1;
    const forward = () =>
      new Promise<void>((done) => {
        const upstream = request(
          { hostname, port, path: incoming.url, method: incoming.method, headers: incoming.headers },
          async (response) => {
            const body = Buffer.concat(await response.toArray());
            if (isSnapshot) await state.beforeResponse?.(url.searchParams);
            outgoing.writeHead(response.statusCode ?? 502, response.headers).end(body);
            done();
          },
        );
        upstream.once("error", () => {
          outgoing.writeHead(502).end();
          done();
        });
        incoming.pipe(upstream);
      });
    if (isSnapshot && state.forwardsOneAtATime) last = last.then(forward);
    else void forward();
  });
  state.url = `http://127.0.0.1:${await listenNear(server)}`;
  return state;
}
