import { AsyncResource } from "node:async_hooks";
import { IncomingMessage, Server, ServerResponse } from "node:http";
import type { ErrorBody } from "@/lib/http/error-body";

const maxBytes = 1024 * 1024;
const tooLarge: ErrorBody = { error: "The request is larger than 1 MB. Send less at a time." };

/**
 * Makes each server of this process respond 413 to a body over 1 MB before it is buffered. Next.js would buffer 10 MB, cut
 * off the rest, and respond when all of it has arrived. Routes that read JSON allow less.
 */
export function limitBodies(): void {
  const emit = Server.prototype.emit;
  Server.prototype.emit = function (this: Server, event: string | symbol, ...args: unknown[]): boolean {
    const pass = (): boolean => Reflect.apply(emit, this, [event, ...args]);
    const [request, response] = args;
    if (event !== "request" || !(request instanceof IncomingMessage && response instanceof ServerResponse))
      return pass();
    if (Number(request.headers["content-length"] ?? 0) > maxBytes) refuse(response);
    else if (request.headers["transfer-encoding"] === undefined) return pass();
    else bufferBody(request, { pass, refuse: () => refuse(response) });
    return true;
  };
}

// If the length isn't known, the body is held back until it is complete.
function bufferBody(request: IncomingMessage, { pass, refuse }: { pass: () => void; refuse: () => void }) {
  const passOn = AsyncResource.bind(pass); // under the id of the request
  const { push } = request;
  const bufferedChunks: (Uint8Array | null)[] = [];
  let bytes = 0;
  request.push = (chunk: Uint8Array | null) => {
    bufferedChunks.push(chunk);
    bytes += chunk?.length ?? 0;
    if (chunk !== null && bytes <= maxBytes) return true;
    request.push = push;
    if (bytes > maxBytes) refuse();
    else {
      for (const buffered of bufferedChunks) request.push(buffered);
      passOn();
    }
    return true;
  };
}

// Node.js reads and drops the rest, so that the client can read the response.
function refuse(response: ServerResponse) {
  const headers = { "Content-Type": "application/json", "Cache-Control": "no-store" };
  response.writeHead(413, headers).end(JSON.stringify(tooLarge));
}
