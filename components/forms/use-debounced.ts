import { useEffect, useEffectEvent } from "react";

/** Calls `run` once `key` has stayed the same for `delayMs`, unless it is null. */
export function useDebounced(key: unknown, run: () => void, delayMs: number) {
  const runLatest = useEffectEvent(run);
  useEffect(() => {
    if (key === null) return;
    const timer = setTimeout(() => runLatest(), delayMs);
    return () => clearTimeout(timer);
  }, [key, delayMs]);
}
