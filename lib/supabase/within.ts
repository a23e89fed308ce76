/**
 * The promise's value, or a rejection after the timeout. Auth's client retries a refresh for half a minute while Auth is
 * unreachable, and accepts no signal.
 */
export async function withTimeout<Value>(timeoutMs: number, promise: Promise<Value>): Promise<Value> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(new Error(`No answer within ${timeoutMs} ms.`)), timeoutMs);
  try {
    return await Promise.race([promise, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** How long a page or route waits for the database, so that people see an error within 5 seconds. */
const databaseTimeoutMs = 4_000;

/** `fetch` with a timeout for Supabase; a call that may take longer passes its own signal. */
export const fetchInTime: typeof fetch = (input, init) =>
  fetch(input, { ...init, signal: init?.signal ?? AbortSignal.timeout(databaseTimeoutMs) });

/** Whether a status of Auth, or none, says nothing about the token or session. */
export const isOverloaded = (status: number | undefined) => !status || status === 429 || status >= 500;
