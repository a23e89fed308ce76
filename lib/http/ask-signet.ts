/**
 * Why there is no answer: a sentence to show; the status, 304 when what is known is still so, 401 when the session has
 * ended, 504 when it took too long, null when nobody was reached; the part of what was sent that it is about; and after how
 * many seconds to ask again.
 */
export type Failure = { error: string; status: number | null; part: string | null; retryAfter: number | null };

export type Answer<Body> = { body: Body } | Failure;

type Question = {
  /** What is asked with GET, as the address names it. Without it, it is a POST. */
  query?: string | Record<string, string>;
  /** What is posted, as JSON. */
  body?: unknown;
  /** The version of what is known already, which is not sent again. */
  known?: string;
  signal?: AbortSignal;
  /** How long to wait before asking, in ms: whoever types on aborts the question meanwhile. */
  delayMs?: number;
  timeoutMs?: number;
  /** What to say when nobody was reached, or answered what can be read. */
  unreached?: string;
};

/**
 * Asks a route of Signet from the browser. It never throws; the answer to an aborted question is a failure to be ignored.
 * `schema` reads the answer: it brings a schema library along, which comes meanwhile and not before the page. Without it
 * the answer is a file.
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
    return { error, status, part, retryAfter: Number(response.headers.get("Retry-After")) || null };
  } catch {
    return { error: unreached, status: late.aborted ? 504 : status, part: null, retryAfter: null };
  }
}

/** The body of an answer, for `useQuery`. Throws the Failure where there is none. */
export async function bodyOf<Body>(asked: Promise<Answer<Body>>): Promise<Body> {
  const answer = await asked;
  if ("body" in answer) return answer.body;
  throw answer;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
