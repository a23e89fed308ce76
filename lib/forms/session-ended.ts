import type { FormState } from "@/lib/forms/form-state";

/** The error of an action after the session has ended. */
export const sessionEnded = "Your session has ended. Nothing was saved. Sign in again: what you typed is still here.";

const event = "signet:session-ended";
const renewedEvent = "signet:session-renewed";

/** Makes the page offer to sign in again in place. */
export function reportSessionEnded() {
  window.dispatchEvent(new Event(event));
}

/** Reports that the session ended if an action failed for that reason. */
export function reportIfSessionEnded(state: FormState<unknown> | null) {
  if (state?.error === sessionEnded) reportSessionEnded();
}

/** Calls `run` when the session has ended; returns what unsubscribes. */
export function onSessionEnded(run: () => void): () => void {
  window.addEventListener(event, run);
  return () => window.removeEventListener(event, run);
}

/** Lets forms drop the error: the same person has signed in again. */
export function reportSessionRenewed() {
  window.dispatchEvent(new Event(renewedEvent));
}

/** Calls `run` when the same person has signed in again; returns what unsubscribes. */
export function onSessionRenewed(run: () => void): () => void {
  window.addEventListener(renewedEvent, run);
  return () => window.removeEventListener(renewedEvent, run);
}
