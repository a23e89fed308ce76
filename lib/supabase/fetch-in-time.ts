/** ms for which a page or a route waits for the database: who looks at it is told within 5 seconds that it does not answer. */
const patience = 4_000;

/** `fetch` that gives up on a Supabase that hangs; a call that may take longer brings a signal of its own. */
export const fetchInTime: typeof fetch = (input, init) =>
  fetch(input, { ...init, signal: init?.signal ?? AbortSignal.timeout(patience) });
