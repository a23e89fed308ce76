import { useEffect, useEffectEvent } from "react";

/**
 * Calls `run` once `key` has stayed the same for `pause` ms. The next key, and leaving, abort the signal that it was given,
 * so that no older answer replaces a newer one. Nothing is run for null.
 */
export function useDebounced(key: unknown, run: (signal: AbortSignal) => Promise<void>, pause: number) {
  const runLatest = useEffectEvent(run);
  useEffect(() => {
    if (key === null) return;
    const leaving = new AbortController();
    const timer = setTimeout(() => void runLatest(leaving.signal), pause);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [key, pause]);
}
