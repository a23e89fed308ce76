import { inspect } from "node:util";
import { requestId } from "@/lib/request-id";

/** Writes one structured line to the log. Only ids and reasons: never a token, a name or an address. */
export function logEvent(event: string, fields: Record<string, unknown>): void {
  console.info(line(event, fields));
}

/** Writes a failure with its cause. */
export function logFailure(message: string, cause?: unknown, fields: Record<string, unknown> = {}): void {
  console.error(line("failed", { ...fields, message, cause: cause === undefined ? undefined : inspect(cause) }));
}

function line(event: string, fields: Record<string, unknown>) {
  return JSON.stringify({ event, at: new Date().toISOString(), request: requestId(), ...fields });
}
