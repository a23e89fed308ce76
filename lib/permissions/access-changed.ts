const changedEvent = "signet:access-changed";
const refusedEvent = "signet:request-refused";

/** Notifies the page that the user's permissions have changed, so that it drops cached data. */
export function reportAccessChanged() {
  window.dispatchEvent(new Event(changedEvent));
}

/** Calls `callback` on each notification; returns a function that unsubscribes. */
export function onAccessChanged(callback: () => void): () => void {
  window.addEventListener(changedEvent, callback);
  return () => window.removeEventListener(changedEvent, callback);
}

/** Makes the page check its permissions: a request was refused for lack of one. */
export function reportRefusedRequest() {
  window.dispatchEvent(new Event(refusedEvent));
}

/** Calls `callback` on each refused request; returns a function that unsubscribes. */
export function onRefusedRequest(callback: () => void): () => void {
  window.addEventListener(refusedEvent, callback);
  return () => window.removeEventListener(refusedEvent, callback);
}
