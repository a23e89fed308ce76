import type { Instrumentation } from "next";
import { logFailure } from "@/lib/log-event";

/** Ends a server that cannot work before it serves anything: on a Node that is too old, and without its settings. */
export async function register() {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  (await import("@/lib/require-new-node")).requireNewNode();
  (await import("@/lib/require-settings")).requireSettings();
  (await import("@/lib/keep-request-ids")).keepRequestIds();
  (await import("@/lib/tell-client-addresses")).tellClientAddresses();
  (await import("@/lib/http/bound-bodies")).boundBodies();
}

/** Logs what fails past our own handlers. The route is told, not its address, which may hold a token or a name. */
export const onRequestError: Instrumentation.onRequestError = (
  error,
  { method, headers },
  { routePath, routeType },
) => {
  const message = error instanceof Error ? error.message : "Something that is no error was thrown.";
  const digest = error instanceof Error && "digest" in error ? error.digest : undefined;
  logFailure(message, undefined, { request: headers["x-request-id"], method, route: routePath, routeType, digest });
};
