"use client";

import type { ReactNode } from "react";
import { useFormat } from "@/components/shell/format-provider";
import type { EntryState } from "@/lib/signatures/answers";
import type { Totals } from "@/lib/signatures/entry/entry-totals";
import { goalProjection } from "@/lib/signatures/goal-projection";

/** The clerk's day in numbers, and how far the campaign is. For those who do not enter, the campaign alone. */
export function TotalsBar({ totals, state, own }: { totals: Totals; state: EntryState; own: boolean }) {
  const { number, percent } = useFormat();
  return (
    <section
      aria-label="Totals"
      className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b px-4 py-2 text-sm md:px-6"
    >
      {own && (
        <>
          <span className="text-muted-foreground">Today</span>
          <Count value={number(totals.entered)}>entered</Count>
          <Count value={number(totals.accepted)}>accepted</Count>
          <Count value={number(totals.duplicates)}>{totals.duplicates === 1 ? "duplicate" : "duplicates"}</Count>
          <Count value={number(totals.rejected)}>rejected</Count>
          <Count value={totals.validity === null ? "–" : percent(totals.validity)}>valid</Count>
          <Count value={totals.pace === null ? "–" : number(totals.pace)}>an hour</Count>
        </>
      )}
      <Goal state={state} accepted={totals.campaign} />
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

function Goal({ state: { goal, days, today, endsOn }, accepted }: { state: EntryState; accepted: number }) {
  const format = useFormat();
  if (goal === null) return <Count value={format.number(accepted)}>in the campaign, which has no goal yet</Count>;
  const day = goalProjection({ goal, accepted, days, today });
  const late = day !== null && endsOn !== null && day > endsOn;
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-muted-foreground md:ml-auto">
      <span className="whitespace-nowrap">
        <strong className="font-semibold text-foreground">{format.number(accepted)}</strong> of {format.number(goal)} ·{" "}
        {format.percent(accepted / goal)}
      </span>
      <span aria-hidden className="h-1.5 w-24 overflow-hidden rounded-md bg-muted">
        <span
          className="block h-full rounded-md bg-primary"
          style={{ width: `${Math.min(100, (accepted / goal) * 100)}%` }}
        />
      </span>
      {accepted >= goal && <span className="text-success">goal reached</span>}
      {day !== null && (
        <span
          title={`At the pace of the last 14 days${late && endsOn ? `. The campaign ends ${format.day(endsOn)}` : ""}`}
          className={late ? "whitespace-nowrap text-warning" : "whitespace-nowrap"}
        >
          goal {format.day(day)}
          {late && ", late"}
        </span>
      )}
    </span>
  );
}
