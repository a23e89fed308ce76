import { Agent, createServer, request } from "node:http";
import { listenNear } from "../../scripts/local-stack/ports.ts";

/** A load balancer: passes requests to its targets in turn. */
export async function startBalancer() {
  const agent = new Agent({ keepAlive: true });
  const state = {
    url: "",
    targets: [] as string[],
    forwardsHost: false,
    requestCounts: {} as Record<string, number>,
    close: () => {
      agent.destroy();
      server.close();
    },
  };
  let requestCount = 0;
  const server = createServer((incoming, outgoing) => {
    const target = new URL(state.targets[requestCount++ % state.targets.length] ?? "");
    state.requestCounts[target.host] = (state.requestCounts[target.host] ?? 0) + 1;
    const { host } = incoming.headers;
    const hostHeaders = state.forwardsHost ? { host: target.host, "x-forwarded-host": host } : {};
    const upstream = request(
      new URL(incoming.url ?? "/", target),
      { agent, method: incoming.method, headers: { ...incoming.headers, ...hostHeaders } },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
      },
    );
    upstream.once("error", () => outgoing.destroy());
    outgoing.once("close", () => upstream.destroy());
    incoming.pipe(upstream);
  });
  state.url = `http://localhost:${await listenNear(server)}`;
  return state;
}
