import { AsyncLocalStorage } from "node:async_hooks";
import { processWide } from "@/lib/process-wide";

/** Where the id of a request is kept while the server is at it; `keepRequestIds` fills it. */
export const requestIds = processWide("request-ids", () => new AsyncLocalStorage<string>());

/** The id of the request that the server is at: the same is answered as `x-request-id`. */
export function requestId(): string | undefined {
  return requestIds.getStore();
}
