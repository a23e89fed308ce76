const event = "signet:access-changed";

/** Reports to the page that what the user may do has changed, so that it drops what it read before. */
export function reportAccessChanged() {
  window.dispatchEvent(new Event(event));
}

/** Runs on each such report; returns what ends it. */
export function onAccessChanged(run: () => void): () => void {
  window.addEventListener(event, run);
  return () => window.removeEventListener(event, run);
}
