import { Agent, createServer, request } from "node:http";

/** A proxy that hands requests to its targets in turn, and tells them in one of two ways which host was asked. */
export async function startBalancer() {
  const agent = new Agent({ keepAlive: true });
  const state = {
    url: "",
    targets: [] as string[],
    forwardsHost: false,
    /** How many requests each target has had. */
    handed: {} as Record<string, number>,
    close: () => {
      agent.destroy();
      server.close();
    },
  };
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const target = new URL(state.targets[turn++ % state.targets.length] ?? "");
    state.handed[target.host] = (state.handed[target.host] ?? 0) + 1;
    const { host } = incoming.headers;
    const told = state.forwardsHost ? { host: target.host, "x-forwarded-host": host } : {};
    const upstream = request(
      new URL(incoming.url ?? "/", target),
      { agent, method: incoming.method, headers: { ...incoming.headers, ...told } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    upstream.once("error", () => outgoing.destroy());
    outgoing.once("close", () => upstream.destroy());
    incoming.pipe(upstream);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  state.url = `http://localhost:${typeof address === "object" && address ? address.port : 0}`;
  return state;
}
