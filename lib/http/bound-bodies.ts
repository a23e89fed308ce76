import { AsyncResource } from "node:async_hooks";
import { IncomingMessage, Server, ServerResponse } from "node:http";
import type { ErrorBody } from "@/lib/http/error-body";

const largest = 1024 * 1024; // bytes
const tooLarge: ErrorBody = { error: "The request is larger than 1 MB. Send less at a time." };

/**
 * Has each server of this process answer 413 to a body of more than 1 MB, before any of it is kept. Next.js would keep
 * 10 MB, cut off the rest, and answer once all of it has come. Routes that read JSON allow less.
 */
export function boundBodies(): void {
  const emit = Server.prototype.emit;
  Server.prototype.emit = function (this: Server, event: string | symbol, ...given: unknown[]): boolean {
    const pass = (): boolean => Reflect.apply(emit, this, [event, ...given]);
    const [request, response] = given;
    if (event !== "request" || !(request instanceof IncomingMessage && response instanceof ServerResponse))
      return pass();
    if (Number(request.headers["content-length"] ?? 0) > largest) refuse(response);
    else if (request.headers["transfer-encoding"] === undefined) return pass();
    else holdBody(request, { pass, refuse: () => refuse(response) });
    return true;
  };
}

// Its length is not told, so what the parser pushes is held until all of it is there.
function holdBody(request: IncomingMessage, { pass, refuse }: { pass: () => void; refuse: () => void }) {
  const passOn = AsyncResource.bind(pass); // under the id of the request
  const { push } = request;
  const held: (Uint8Array | null)[] = [];
  let size = 0;
  request.push = (part: Uint8Array | null) => {
    held.push(part);
    size += part?.length ?? 0;
    if (part !== null && size <= largest) return true;
    request.push = push;
    if (size > largest) refuse();
    else {
      for (const each of held) request.push(each);
      passOn();
    }
    return true;
  };
}

// What still comes is read and thrown away by Node.js, so that the client gets to read the answer.
function refuse(response: ServerResponse) {
  const headers = { "Content-Type": "application/json", "Cache-Control": "no-store" };
  response.writeHead(413, headers).end(JSON.stringify(tooLarge));
}
