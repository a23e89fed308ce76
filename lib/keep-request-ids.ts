import { randomUUID } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";
import { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { currentRequest } from "@/lib/request-id";

const header = "x-request-id";
const wellFormed = /^[\w.-]{8,64}$/;
const begun = z.object({ request: z.instanceof(IncomingMessage), response: z.instanceof(ServerResponse) });

/** Gives each request that this process takes an id: the one that a proxy sent, where it is well-formed, else a new one. */
export function keepRequestIds(): void {
  subscribe("http.server.request.start", (message) => {
    const { request, response } = begun.parse(message);
    const sent = request.headers[header];
    const id = typeof sent === "string" && wellFormed.test(sent) ? sent : randomUUID();
    request.headers[header] = id; // the middleware runs apart, and reads it there
    response.setHeader(header, id);
    currentRequest.enterWith({ id, response });
  });
}
