/**
 * Rejects if the promise takes longer than the timeout. Needed for Auth's client: it accepts no signal, and retries for half a
 * minute while Auth is unreachable.
 */
export async function withTimeout<Value>(timeoutMs: number, promise: Promise<Value>): Promise<Value> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(new Error(`No response within ${timeoutMs} ms.`)), timeoutMs);
  try {
    return await Promise.race([promise, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** How long a page or route waits for the database, so that people see an error within 5 seconds. */
const databaseTimeoutMs = 4_000;

/** `fetch` with a timeout for Supabase; a call that may take longer passes its own signal. */
export const fetchWithTimeout: typeof fetch = (input, init) =>
  fetch(input, { ...init, signal: init?.signal ?? AbortSignal.timeout(databaseTimeoutMs) });

/** Whether Auth couldn't check the token or session, from the status of its response; undefined if there was none. */
export const isAuthUnavailable = (status: number | undefined) => !status || status === 429 || status >= 500;
