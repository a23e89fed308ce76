"use client";

import { createContext, type ReactNode, use } from "react";
import { type Format, formatOf, type Region } from "@/lib/format/format-of";

const Formats = createContext(formatOf());

/** Provides a team's number and date formats. */
export function FormatProvider({ region, children }: { region: Region | undefined; children: ReactNode }) {
  return <Formats value={formatOf(region)}>{children}</Formats>;
}

/** The formats of the team; outside of teams US English, in UTC. */
export function useFormat(): Format {
  return use(Formats);
}
