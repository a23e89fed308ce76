"use client";

import { createContext, type ReactNode, use } from "react";
import { type Format, formatOf, type Region } from "@/lib/format/format-of";

const Formats = createContext(formatOf());

/** Hands a team's way to write numbers and times to the components in it. */
export function FormatProvider({ region, children }: { region: Region | undefined; children: ReactNode }) {
  return <Formats value={formatOf(region)}>{children}</Formats>;
}

/** How numbers, days and times are written here; outside of any team as it is usual, in UTC. */
export function useFormat(): Format {
  return use(Formats);
}
