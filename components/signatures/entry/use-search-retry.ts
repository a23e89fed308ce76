import { useEffect, useEffectEvent, useRef } from "react";
import type { Failure } from "@/lib/http/call-api";

const retryDelaySeconds = 5;

/** Repeats a search that failed, after a pause and once the device is online again. `onBack` runs when one works again. */
export function useSearchRetry({
  failure,
  isFound,
  online,
  search,
  onBack,
}: {
  failure: Failure | null;
  /** Whether the last search was answered. */
  isFound: boolean;
  online: boolean;
  search: () => void;
  onBack: () => void;
}) {
  const retry = useEffectEvent(() => failure && search());
  useEffect(() => {
    if (online) retry();
  }, [online]);
  useEffect(() => {
    if (!failure || failure.status === 401) return;
    const timer = setTimeout(() => retry(), 1_000 * (failure.retryAfterSeconds ?? retryDelaySeconds));
    return () => clearTimeout(timer);
  }, [failure]);

  const isDown = failure !== null || !online;
  const wasDown = useRef(false);
  const back = useEffectEvent(onBack);
  useEffect(() => {
    if (isDown) wasDown.current = true;
    else if (isFound && wasDown.current) {
      wasDown.current = false;
      back();
    }
  }, [isDown, isFound]);
}
