/**
 * Why there is no response to read. `error` is a sentence to show. `status` is 304 when the known version is current, 401
 * when the session has ended, 504 after a timeout, and null when nothing was reached. `part` is the part of the request that
 * it is about.
 */
export type Failure = { error: string; status: number | null; part: string | null; retryAfterSeconds: number | null };

export type Answer<Body> = { body: Body } | Failure;

type Question = {
  /** The query of a GET. Without it, the request is a POST. */
  query?: string | Record<string, string>;
  /** Posted as JSON. */
  body?: unknown;
  /** The known version, which isn't sent again. */
  known?: string;
  signal?: AbortSignal;
  /** The wait before the request, which the next keystroke aborts. */
  delayMs?: number;
  timeoutMs?: number;
  /** The error when nothing was reached, or the response can't be read. */
  unreached?: string;
};

/**
 * Asks a route of Signet from the browser. It never throws; ignore the failure of an aborted request. `schema` parses the
 * answer: it is imported during the request, as the schema library isn't part of a page's first load. Without it the answer
 * is a file.
 */
export function askSignet<Body>(
  path: string,
  question: Question & { schema: () => Promise<{ parse: (answer: unknown) => Body }> },
): Promise<Answer<Body>>;
export function askSignet(path: string, question?: Question): Promise<Answer<Blob>>;
export async function askSignet(
  path: string,
  {
    query,
    body,
    known,
    signal,
    delayMs = 0,
    timeoutMs = 30_000,
    unreached = "Couldn't reach Signet. Check your connection and try again.",
    schema,
  }: Question & { schema?: () => Promise<{ parse: (answer: unknown) => unknown }> } = {},
): Promise<Answer<unknown>> {
  const late = AbortSignal.timeout(delayMs + timeoutMs);
  let status: number | null = null;
  try {
    if (delayMs > 0) await pause(delayMs);
    signal?.throwIfAborted();
    const reading = schema?.();
    reading?.catch(() => undefined); // awaited below
    const response = await fetch(query === undefined ? path : `${path}?${new URLSearchParams(query)}`, {
      method: query === undefined ? "POST" : "GET",
      cache: "no-store",
      signal: signal ? AbortSignal.any([late, signal]) : late,
      ...(known !== undefined && { headers: { "If-None-Match": `"${known}"` } }),
      ...(body !== undefined && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
    });
    if (response.ok && !reading) return { body: await response.blob() };
    const text = await response.text();
    status = response.status;
    if (response.ok && reading) return { body: (await reading).parse(JSON.parse(text)) };
    const { errorBody } = await import("@/lib/http/error-body");
    const { error, part = null } = errorBody.parse(JSON.parse(text));
    return { error, status, part, retryAfterSeconds: Number(response.headers.get("Retry-After")) || null };
  } catch {
    return { error: unreached, status: late.aborted ? 504 : status, part: null, retryAfterSeconds: null };
  }
}

/** The body of a response, for `useQuery`. Throws the Failure if there is none. */
export async function bodyOf<Body>(pending: Promise<Answer<Body>>): Promise<Body> {
  const answer = await pending;
  if ("body" in answer) return answer.body;
  throw answer;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
