import type { FormState } from "@/lib/forms/form-state";

/** What a form is answered when nobody is signed in any more. */
export const sessionEnded =
  "Your session has ended, and nothing was saved. Sign in again: what you typed is still here.";

const event = "signet:session-ended";

/** Tells the page that the session has ended, so that it offers to sign in on the spot. */
export function tellSessionEnded() {
  window.dispatchEvent(new Event(event));
}

/** Tells it where a form was answered so. */
export function tellIfSessionEnded(state: FormState<unknown> | null) {
  if (state?.error === sessionEnded) tellSessionEnded();
}

/** Runs when that is told; gives what ends it. */
export function onSessionEnded(run: () => void): () => void {
  window.addEventListener(event, run);
  return () => window.removeEventListener(event, run);
}
