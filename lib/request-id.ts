import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";
import { processWide } from "@/lib/process-wide";

/** The request that the server is at: its id, and its response for headers that actions can't set; `keepRequestIds` fills it. */
export const currentRequest = processWide(
  "current-request",
  () => new AsyncLocalStorage<{ id: string; response: Pick<ServerResponse, "setHeader"> }>(),
);

/** The id of the request that the server is at: the same is answered as `x-request-id`. */
export function requestId(): string | undefined {
  return currentRequest.getStore()?.id;
}
