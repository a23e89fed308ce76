import { useEffect, useEffectEvent } from "react";

/**
 * Calls `run` once `key` has stayed the same for `delayMs`, unless it is null. The next key and unmounting abort its signal,
 * so that no older answer replaces a newer one.
 */
export function useDebounced(key: unknown, run: (signal: AbortSignal) => Promise<void>, delayMs: number) {
  const runLatest = useEffectEvent(run);
  useEffect(() => {
    if (key === null) return;
    const leaving = new AbortController();
    const timer = setTimeout(() => void runLatest(leaving.signal), delayMs);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [key, delayMs]);
}
