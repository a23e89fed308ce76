/**
 * The promise's value, or a rejection after so many ms. Auth's client tries a refresh again and again for half a minute
 * while Auth is away, and knows no signal; what it still does then is of no use to anyone.
 */
export async function within<Value>(milliseconds: number, promise: Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`No answer within ${milliseconds} ms.`)), milliseconds);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** ms for which a page or a route waits for the database: who looks at it is told within 5 seconds that it does not answer. */
const patience = 4_000;

/** `fetch` that gives up on a Supabase that hangs; a call that may take longer brings a signal of its own. */
export const fetchInTime: typeof fetch = (input, init) =>
  fetch(input, { ...init, signal: init?.signal ?? AbortSignal.timeout(patience) });

/** Whether a status of Auth, or none at all, says nothing of the token or session that it was asked about. */
export const isOverloaded = (status: number | undefined) => !status || status === 429 || status >= 500;
