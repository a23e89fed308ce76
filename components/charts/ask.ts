import type { z } from "zod";

/** Why there is no answer: a sentence to show, the status, the part of a definition that it is about, seconds to wait. */
export type Failure = { error: string; status: number | null; part: string | null; retryAfter: number | null };

export type Answer<Body> = { body: Body } | Failure;

const unreached = "Signet could not be reached. Check your connection and try again.";
const away: Failure = { error: unreached, status: null, part: null, retryAfter: null };
const longest = 30_000; // ms; the server gives up after 15 s
const longestFile = 600_000; // ms; it comes in pages, each with 15 s of its own

/**
 * Posts to a route of Signet and reads its answer. It never throws; the answer to an aborted question is a failure to be
 * ignored. What reads the answer brings a schema library along, which comes meanwhile and not before the page.
 */
export async function ask<Body>(
  path: string,
  { body, schema, signal }: { body?: unknown; schema: () => Promise<z.ZodType<Body>>; signal?: AbortSignal },
): Promise<Answer<Body>> {
  try {
    const signals = [AbortSignal.timeout(longest), ...(signal ? [signal] : [])];
    const [response, reads] = await Promise.all([post(path, body, AbortSignal.any(signals)), schema()]);
    const read: unknown = await response.json();
    return response.ok ? { body: reads.parse(read) } : failureOf(read, response);
  } catch {
    return away;
  }
}

/** The same for a file. */
export async function askForFile(path: string, body: unknown): Promise<Answer<Blob>> {
  try {
    const response = await post(path, body, AbortSignal.timeout(longestFile));
    return response.ok ? { body: await response.blob() } : failureOf(await response.json(), response);
  } catch {
    return away;
  }
}

function post(path: string, body: unknown, signal: AbortSignal) {
  return fetch(path, {
    method: "POST",
    cache: "no-store",
    signal,
    ...(body !== undefined && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
  });
}

function failureOf(body: unknown, { status, headers }: Response): Failure {
  const known = typeof body === "object" && body !== null ? body : {};
  const seconds = Number(headers.get("Retry-After"));
  return {
    error: "error" in known && typeof known.error === "string" ? known.error : unreached,
    status,
    part: "part" in known && typeof known.part === "string" ? known.part : null,
    retryAfter: Number.isInteger(seconds) && seconds > 0 ? seconds : null,
  };
}
