import { useEffect, useEffectEvent, useRef } from "react";
import { useOnline } from "@/components/shell/use-online";
import type { Failure } from "@/lib/http/call-api";

const retryDelaySeconds = 5;

/**
 * Repeats a search that failed, after a pause and once the device is online again. `onBack` runs when one works after a failure
 * or without a connection.
 */
export function useSearchRetry({
  failure,
  isFound,
  search,
  onBack,
}: {
  failure: Failure | null;
  /** Whether the last search was answered. */
  isFound: boolean;
  search: () => void;
  onBack?: (() => void) | undefined;
}) {
  const online = useOnline();
  const mayPass = failure !== null && (failure.status === null || failure.status === 429 || failure.status >= 500);
  const retry = useEffectEvent(search);
  useEffect(() => {
    if (!mayPass || !online) return;
    const timer = setTimeout(() => retry(), 1_000 * (failure.retryAfterSeconds ?? retryDelaySeconds));
    return () => clearTimeout(timer);
  }, [failure, mayPass, online]);
  const retryAtOnce = useEffectEvent(() => mayPass && search());
  useEffect(() => {
    if (online) retryAtOnce();
  }, [online]);

  const isDown = failure !== null || !online;
  const wasDown = useRef(false);
  const back = useEffectEvent(() => onBack?.());
  useEffect(() => {
    if (isDown) wasDown.current = true;
    else if (isFound && wasDown.current) {
      wasDown.current = false;
      back();
    }
  }, [isDown, isFound]);
}
