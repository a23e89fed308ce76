"use client";

import type { ReactNode } from "react";
import { GoalCount, useLiveCount } from "@/components/shell/campaign-count";
import { useFormat } from "@/components/shell/format-provider";
import type { Entry } from "@/components/signatures/entry/use-entry";

/** The clerk's day in numbers; on a phone, where the page bar has no room, also the campaign's progress. */
export function TotalsBar({ entry: { lines } }: { entry: Entry }) {
  const { number, rate } = useFormat();
  const { totals, state } = lines;
  const campaign = { accepted: totals.campaign, goal: state.goal };
  useLiveCount(campaign);
  return (
    <section
      aria-label="Totals"
      className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b px-4 py-2 text-sm md:px-6"
    >
      <span className="text-muted-foreground">Today</span>
      <Count value={number(totals.entered)}>entered</Count>
      <Count value={number(totals.accepted)}>valid</Count>
      <Count value={number(totals.duplicates)}>{totals.duplicates === 1 ? "duplicate" : "duplicates"}</Count>
      <Count value={number(totals.rejected)}>other invalid</Count>
      {totals.validity !== null && <Count value={rate(totals.validity)}>validity rate</Count>}
      {totals.pace !== null && <Count value={number(totals.pace)}>per hour</Count>}
      <GoalCount {...campaign} className="text-sm md:hidden" />
    </section>
  );
}

function Count({ value, children }: { value: string; children: ReactNode }) {
  return (
    <span className="whitespace-nowrap text-muted-foreground">
      <strong className="font-semibold text-foreground">{value}</strong> {children}
    </span>
  );
}
