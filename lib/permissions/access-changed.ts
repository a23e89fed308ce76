const event = "signet:access-changed";
const refusedEvent = "signet:request-refused";

/** Notifies the page that the user's permissions have changed, so that it drops cached data. */
export function reportAccessChanged() {
  window.dispatchEvent(new Event(event));
}

/** Calls `run` on each notification; returns a function that unsubscribes. */
export function onAccessChanged(run: () => void): () => void {
  window.addEventListener(event, run);
  return () => window.removeEventListener(event, run);
}

/** Makes the page check its permissions: a request was refused for lack of one. */
export function reportRefusedRequest() {
  window.dispatchEvent(new Event(refusedEvent));
}

/** Calls `run` on each of them; returns a function that unsubscribes. */
export function onRefusedRequest(run: () => void): () => void {
  window.addEventListener(refusedEvent, run);
  return () => window.removeEventListener(refusedEvent, run);
}
