"use client";

import { useSyncExternalStore } from "react";
import { useFormat } from "@/components/shell/format-provider";
import type { Format } from "@/lib/format/format-of";

const minute = 60_000; // ms
const day = 24 * 60 * minute;

function everyMinute(changed: () => void) {
  const timer = setInterval(changed, minute);
  return () => clearInterval(timer);
}

/** How long ago a time was, in whole minutes. Null on the server, which is not asked again when a minute has passed. */
export function useMinutesSince(at: string): number | null {
  return useSyncExternalStore(
    everyMinute,
    () => Math.max(0, Math.floor((Date.now() - Date.parse(at)) / minute)),
    () => null,
  );
}

/** Whether numbers of this age may mislead: over a day. */
export const isOld = (minutes: number | null) => minutes !== null && minutes * minute >= day;

/** How long ago something was: `just now`, `12 min ago`, `3 h ago`, then its day. Keeps its space until it is known. On paper, when. */
export function Age({ at }: { at: string }) {
  const format = useFormat();
  const minutes = useMinutesSince(at);
  return (
    <time dateTime={at} title={format.dateTime(at)} className="print:after:content-[attr(title)]">
      <span className="print:hidden">{minutes === null ? "\u00a0" : ageText(minutes, at, format)}</span>
    </time>
  );
}

function ageText(minutes: number, at: string, format: Format) {
  if (minutes === 0) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`;
  if (minutes < 7 * 24 * 60) return `${format.count(Math.floor(minutes / 60 / 24), "day")} ago`;
  return `on ${format.day(at)}`;
}
