import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";
import { inspect } from "node:util";
import { processWide } from "@/lib/process-wide";

/** The current request: its id, and its response for headers that actions can't set. `identifyRequests` fills it. */
export const currentRequest = processWide(
  "current-request",
  () => new AsyncLocalStorage<{ id: string; response: Pick<ServerResponse, "setHeader"> }>(),
);

/** The id of the current request, which is also sent as `x-request-id`. */
export function requestId(): string | undefined {
  return currentRequest.getStore()?.id;
}

/** Writes one structured line to the log. Only ids and reasons: never a token, a name or an address. */
export function logEvent(event: string, fields: Record<string, unknown>): void {
  console.info(formatEvent(event, fields));
}

/** Writes a failure with its cause. */
export function logFailure(message: string, cause?: unknown, fields: Record<string, unknown> = {}): void {
  console.error(formatEvent("failed", { ...fields, message, cause: cause === undefined ? undefined : inspect(cause) }));
}

function formatEvent(event: string, fields: Record<string, unknown>) {
  return JSON.stringify({ event, at: new Date().toISOString(), request: requestId(), ...fields });
}
