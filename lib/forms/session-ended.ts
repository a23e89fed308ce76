import type { FormState } from "@/lib/forms/form-state";

/** What an action answers once the session has ended. */
export const sessionEnded = "Your session has ended. Nothing was saved. Sign in again: what you typed is still here.";

const event = "signet:session-ended";

/** Has the page offer to sign in on the spot. */
export function tellSessionEnded() {
  window.dispatchEvent(new Event(event));
}

/** The same if an action answered that. */
export function tellIfSessionEnded(state: FormState<unknown> | null) {
  if (state?.error === sessionEnded) tellSessionEnded();
}

/** Calls `run` when the page is to offer it; answers how to unsubscribe. */
export function onSessionEnded(run: () => void): () => void {
  window.addEventListener(event, run);
  return () => window.removeEventListener(event, run);
}
