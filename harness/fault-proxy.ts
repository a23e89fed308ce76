import { createServer, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { listenNear } from "../scripts/local-stack/ports.ts";

/** A part of Supabase answers with errors, late, or never. */
export type Fault = "down" | "slow" | "frozen";

const slow = 1_000; // ms

/** A proxy in front of Supabase that causes outages, also of a part, and late answers of the snapshot function. */
export async function startFaultProxy(target: string) {
  const { hostname, port } = new URL(target);
  const state = {
    url: "",
    /** Answers 502 to everything. */
    down: false,
    /** The fault of the part whose paths begin like this. */
    part: null as { path: string; fault: Fault } | null,
    /** Calls of the snapshot function so far. */
    calls: 0,
    /** Passes on calls of the snapshot function one after another. */
    inTurn: false,
    /** Runs when the function has answered and before the application gets the answer. */
    beforeAnswer: undefined as ((query: URLSearchParams) => Promise<void>) | undefined,
    close: () => server.close(),
  };
  let last = Promise.resolve();
  const server = createServer(async (incoming, outgoing) => {
    const url = new URL(incoming.url ?? "/", target);
    const fault = state.down
      ? "down"
      : state.part && url.pathname.startsWith(state.part.path)
        ? state.part.fault
        : null;
    if (fault === "down") {
      outgoing.writeHead(502).end();
      return;
    }
    if (fault === "frozen") return;
    if (fault === "slow") await wait(slow);
    const isSnapshot = url.pathname.endsWith("/get-permissions-snapshot");
    if (isSnapshot) state.calls += 1;
    const forward = () =>
      new Promise<void>((done) => {
        const upstream = request(
          { hostname, port, path: incoming.url, method: incoming.method, headers: incoming.headers },
          async (answer) => {
            const body = Buffer.concat(await answer.toArray());
            if (isSnapshot) await state.beforeAnswer?.(url.searchParams);
            outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(body);
            done();
          },
        );
        upstream.once("error", () => {
          outgoing.writeHead(502).end();
          done();
        });
        incoming.pipe(upstream);
      });
    if (isSnapshot && state.inTurn) last = last.then(forward);
    else void forward();
  });
  state.url = `http://127.0.0.1:${await listenNear(server)}`;
  return state;
}
