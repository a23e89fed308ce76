import { reportRefusedRequest } from "@/lib/permissions/access-changed";

/** What to say when a request didn't reach the server, or its response didn't arrive. */
export const unreachable = "Couldn't reach Signet. Check your connection and try again.";

/**
 * Why there is no response to read. `error` is a sentence to show. `status` is 304 if the known version is current, 401 if
 * the session has ended, 504 after a timeout, and null if the server couldn't be reached. `part` is the field of the request
 * that caused it.
 */
export type Failure = { error: string; status: number | null; part: string | null; retryAfterSeconds: number | null };

export type ApiResult<Body> = { body: Body } | Failure;

type RequestOptions = {
  /** The query of a GET. Without it, the request is a POST. */
  query?: string | Record<string, string>;
  /** Posted as JSON. */
  body?: unknown;
  /** The version the page already has, so that the server doesn't send it again. */
  knownVersion?: string;
  signal?: AbortSignal;
  /** Delay before the request, so that the next keystroke can abort it. */
  delayMs?: number;
  timeoutMs?: number;
  /** The error if the server couldn't be reached or the response can't be read. */
  unreachableMessage?: string;
};

/**
 * Calls a route of Signet from the browser. It never throws; ignore the failure of an aborted request. `schema` parses the
 * response. It is imported during the request, to keep the schema library out of a page's first load. Without `schema` the
 * response is a file.
 */
export function callApi<Body>(
  path: string,
  options: RequestOptions & { schema: () => Promise<{ parse: (response: unknown) => Body }> },
): Promise<ApiResult<Body>>;
export function callApi(path: string, options?: RequestOptions): Promise<ApiResult<Blob>>;
export async function callApi(
  path: string,
  {
    query,
    body,
    knownVersion,
    signal,
    delayMs = 0,
    timeoutMs = 30_000,
    unreachableMessage = unreachable,
    schema,
  }: RequestOptions & { schema?: () => Promise<{ parse: (response: unknown) => unknown }> } = {},
): Promise<ApiResult<unknown>> {
  const timeoutSignal = AbortSignal.timeout(delayMs + timeoutMs);
  let status: number | null = null;
  try {
    if (delayMs > 0) await sleep(delayMs);
    signal?.throwIfAborted();
    const schemaPromise = schema?.();
    schemaPromise?.catch(() => undefined); // awaited below
    const response = await fetch(query === undefined ? path : `${path}?${new URLSearchParams(query)}`, {
      method: query === undefined ? "POST" : "GET",
      cache: "no-store",
      signal: signal ? AbortSignal.any([timeoutSignal, signal]) : timeoutSignal,
      ...(knownVersion !== undefined && { headers: { "If-None-Match": `"${knownVersion}"` } }),
      ...(body !== undefined && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
    });
    if (response.ok && !schemaPromise) return { body: await response.blob() };
    const text = await response.text();
    status = response.status;
    if (response.ok && schemaPromise) return { body: (await schemaPromise).parse(JSON.parse(text)) };
    if (status === 403) reportRefusedRequest();
    const { errorBody } = await import("@/lib/http/error-body");
    const { error, part = null } = errorBody.parse(JSON.parse(text));
    return { error, status, part, retryAfterSeconds: Number(response.headers.get("Retry-After")) || null };
  } catch {
    return {
      error: unreachableMessage,
      status: timeoutSignal.aborted ? 504 : status,
      part: null,
      retryAfterSeconds: null,
    };
  }
}

/** The body of a response, for `useQuery`. Throws the Failure if there is none. */
export async function unwrapBody<Body>(pending: Promise<ApiResult<Body>>): Promise<Body> {
  const result = await pending;
  if ("body" in result) return result.body;
  throw result;
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
