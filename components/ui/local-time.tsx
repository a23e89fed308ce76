"use client";

import { useSyncExternalStore } from "react";

const neverChanges = () => () => undefined;

/** A time of day in the reader's zone and locale. The server knows neither, so it keeps the space. */
export function LocalTime({ at }: { at: string }) {
  const text = useSyncExternalStore(
    neverChanges,
    () => new Date(at).toLocaleTimeString(),
    () => null,
  );
  return (
    <time dateTime={at} className={text === null ? "invisible" : undefined}>
      {text ?? "00:00:00"}
    </time>
  );
}
