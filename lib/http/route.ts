import "server-only";
import type { z } from "zod";
import { getLiveSession, getSession, type Session } from "@/lib/auth/get-session";
import { AppError } from "@/lib/errors";
import { enforceRateLimit, type RateKind } from "@/lib/http/enforce-rate-limit";
import type { ErrorBody } from "@/lib/http/error-body";
import { parseFields, parseJsonBody } from "@/lib/http/parse-json-body";
import { requireSameOrigin } from "@/lib/http/request-guards";
import { logEvent, logFailure } from "@/lib/log-event";
import { PermissionRefused, PlaceRefused, permissionMessages } from "@/lib/permissions/messages";

type Route<Params, Body, Caller> = {
  /**
   * Who may call: "everyone" (no session is read), or anyone this function accepts without throwing. `run` gets its result.
   * The body is read first only if the guard asks for it.
   */
  guard:
    | "everyone"
    | ((session: Session, input: { params: Params; body: () => Promise<Body> }) => Caller | Promise<Caller>);
  /** True for what must not outlive the session, such as exports and stored lines: Auth is asked each time if it exists. */
  requiresLiveSession?: true;
  /** True if requests from other sites are allowed: a link in an email, a monitor. */
  fromAnySite?: boolean;
  /** Which of the user's rate limits it counts against, before anything is read. */
  rate?: RateKind;
  /** 503 is only for errors that say when to retry (Redis, sign-in). Others are 500 (contract 4.4). */
  unavailableNeedsRetryAfter?: true;
  /** The parameters in the path and query of the address. */
  params?: z.ZodType<Params>;
  /** The JSON that is sent. */
  body?: z.ZodType<Body>;
  /** Does the work. Its result is sent as JSON, unless it is a Response. */
  run: (input: { request: Request; params: Params; body: Body; session: Caller }) => unknown;
};

type Context = { params: Promise<Record<string, string>> };
type Handler = (request: Request, context?: Context) => Promise<Response>;
type Refuser = (request?: Request) => Response;
type Handlers<Own extends string> = {
  [Method in "DELETE" | "GET" | "HEAD" | "OPTIONS" | "PATCH" | "POST" | "PUT"]: Method extends Own ? Handler : Refuser;
};

const defaultRetryAfterSeconds = 1;

/**
 * The handlers of a route, one per HTTP method. They check, in this order: other sites (403), session (401), rate limit (429),
 * parameters (400), guard, body (415, 413, 400). Other methods get 405. A place the user can't open, existing or not, is 403
 * like a missing key; a record they can't see is 404. Each 503 has Retry-After. Responses aren't cached. Errors are `{ error }`
 * with their details; refusals are logged, our own failures with their cause.
 */
export function route<Method extends "GET" | "POST", Params = undefined, Body = undefined, Caller = undefined>(
  spec: Route<Params, Body, Caller> & { method: Method },
): Handlers<Method extends "GET" ? "GET" | "HEAD" : "POST">;
export function route<Params, Body, Caller>(spec: Route<Params, Body, Caller> & { method: "GET" | "POST" }): object {
  const { method, guard, requiresLiveSession, fromAnySite, rate, run } = spec;
  const handle: Handler = async (request, context) => {
    let user: string | undefined;
    try {
      if (!fromAnySite) requireSameOrigin(request);
      const session = guard === "everyone" ? null : await requireSession(requiresLiveSession);
      user = session?.userId;
      if (rate && user) await enforceRateLimit(rate, user);
      const query = { ...Object.fromEntries(new URL(request.url).searchParams), ...(await context?.params) };
      const params = spec.params ? parseFields(query, spec.params) : absent;
      let bodyPromise: Promise<Body> | undefined;
      const body = () => {
        bodyPromise ??= spec.body ? parseJsonBody(request, spec.body) : absent;
        return bodyPromise;
      };
      const caller = guard === "everyone" || session === null ? absent : await guard(session, { params, body });
      return respond(await run({ request, session: caller, params, body: await body() }));
    } catch (thrown) {
      return refuse(toAppError(thrown, spec), request, user);
    }
  };
  const refuseMethod: Refuser = (request) => {
    const error = new AppError("method-not-allowed", `This address only accepts ${method} requests.`);
    return refuse(error, request, undefined, { Allow: method === "GET" ? "GET, HEAD" : method });
  };
  const otherMethods = {
    DELETE: refuseMethod,
    GET: refuseMethod,
    HEAD: refuseMethod,
    OPTIONS: refuseMethod,
    PATCH: refuseMethod,
    POST: refuseMethod,
    PUT: refuseMethod,
  };
  return method === "GET" ? { ...otherMethods, GET: handle, HEAD: handle } : { ...otherMethods, POST: handle };
}

async function requireSession(isLive: true | undefined) {
  const session = await (isLive ? getLiveSession() : getSession());
  if (session) return session;
  throw new AppError("unauthenticated", permissionMessages.sessionEnded);
}

const absent = undefined as never; // for a route without a schema
const noStore = { "cache-control": "no-store" };

function respond(result: unknown) {
  if (!(result instanceof Response)) return Response.json(result, { headers: noStore });
  const headers = new Headers(result.headers);
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  return new Response(result.body, { status: result.status, headers });
}

/**
 * The response to a GET of data whose version is its ETag. JSON, or 304 if `read` returns null because the browser's version
 * (If-None-Match) is still current.
 */
export async function respondIfChanged(
  request: Request,
  read: (knownVersion: string | null) => Promise<{ version: string } | null>,
): Promise<Response> {
  // A proxy that compresses a response makes its ETag a weak one.
  const knownVersion = /^(?:W\/)?"([^"]+)"$/.exec(request.headers.get("if-none-match") ?? "")?.[1] ?? null;
  const data = await read(knownVersion);
  if (!data) return new Response(null, { status: 304, headers: { etag: `"${knownVersion}"` } });
  return Response.json(data, { headers: { etag: `"${data.version}"` } });
}

function toAppError(thrown: unknown, { unavailableNeedsRetryAfter }: { unavailableNeedsRetryAfter?: true }) {
  if (!(thrown instanceof AppError)) {
    return new AppError("internal", "Something went wrong on our side. Try again in a moment.", { cause: thrown });
  }
  const isInternal =
    unavailableNeedsRetryAfter && thrown.code === "unavailable" && thrown.retryAfterSeconds === undefined;
  return isInternal ? new AppError("internal", thrown.message, { cause: thrown.cause }) : thrown;
}

function refuse(
  error: AppError,
  request: Request | undefined,
  user?: string,
  extraHeaders: Record<string, string> = {},
) {
  const { status, message, backendStatus, field } = error;
  const retryAfterSeconds =
    error.retryAfterSeconds ?? (error.code === "unavailable" ? defaultRetryAfterSeconds : undefined);
  if (status >= 500) logFailure(message, error.cause);
  else if (request) {
    const place = error instanceof PlaceRefused ? error.place : {};
    const key = error instanceof PermissionRefused ? error.key : undefined;
    logEvent("refused", { user, route: new URL(request.url).pathname, status, ...place, key });
  }
  return Response.json({ error: message, errorCode: backendStatus, part: field } satisfies ErrorBody, {
    status,
    headers: {
      ...noStore,
      ...(retryAfterSeconds !== undefined && { "Retry-After": String(retryAfterSeconds) }),
      ...extraHeaders,
    },
  });
}
