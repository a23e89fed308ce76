import type { Instrumentation } from "next";
import { logFailure } from "@/lib/log-event";

/** Ends a server that can't work before it serves anything: on a Node that is too old, or without its settings. */
export async function register() {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  (await import("@/lib/server/require-node")).requireNode();
  (await import("@/lib/server/require-settings")).requireSettings();
  (await import("@/lib/server/identify-requests")).identifyRequests();
  (await import("@/lib/server/limit-bodies")).limitBodies();
}

/** Logs errors outside of our own handlers. It names the route, not its address, which may hold a token or a name. */
export const onRequestError: Instrumentation.onRequestError = (
  error,
  { method, headers },
  { routePath, routeType },
) => {
  const message = error instanceof Error ? error.message : "Something that isn't an error was thrown.";
  const digest = error instanceof Error && "digest" in error ? error.digest : undefined;
  logFailure(message, undefined, { request: headers["x-request-id"], method, route: routePath, routeType, digest });
};
