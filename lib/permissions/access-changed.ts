const event = "signet:access-changed";

/** Notifies the page that the user's permissions have changed, so that it drops cached data. */
export function reportAccessChanged() {
  window.dispatchEvent(new Event(event));
}

/** Calls `run` on each notification; returns a function that unsubscribes. */
export function onAccessChanged(run: () => void): () => void {
  window.addEventListener(event, run);
  return () => window.removeEventListener(event, run);
}
