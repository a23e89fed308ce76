"use client";

import { createContext, type ReactNode, use, useSyncExternalStore } from "react";
import { browserTimeZone } from "@/lib/format/days";
import { defaultRegion, type Format, formatOf, type Region } from "@/lib/format/format-of";

const Formats = createContext(formatOf());

/** Provides a team's number and date formats; without a team US English, in the browser's time zone. */
export function FormatProvider({ region, children }: { region: Region | undefined; children: ReactNode }) {
  const timeZone = useBrowserTimeZone();
  return <Formats value={formatOf(region ?? { ...defaultRegion, timeZone })}>{children}</Formats>;
}

/** The browser's time zone; UTC until the page is interactive. */
export const useBrowserTimeZone = () =>
  useSyncExternalStore(
    () => () => undefined,
    browserTimeZone,
    () => defaultRegion.timeZone,
  );

/** The formats of the FormatProvider above; without one US English, in UTC. */
export function useFormat(): Format {
  return use(Formats);
}
