import type { ReactNode } from "react";
import type { EntryState } from "@/components/signatures/entry-state";
import type { Totals } from "@/components/signatures/entry-totals";
import { formatDay } from "@/lib/format/format-day";
import { formatNumber } from "@/lib/format/format-number";
import { goalProjection } from "@/lib/signatures/goal-projection";

/** The clerk's day in numbers, and how far the campaign is. For those who do not enter, the campaign alone. */
export function TotalsBar({ totals, state, own }: { totals: Totals; state: EntryState; own: boolean }) {
  const percent = (share: number) => `${Math.floor(share * 1000) / 10}`.replace(/\.0$/, "");
  return (
    <section
      aria-label="Totals"
      className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b px-4 py-2 text-sm md:px-6"
    >
      {own && (
        <>
          <span className="text-muted-foreground">Today</span>
          <Count value={formatNumber(totals.entered)}>entered</Count>
          <Count value={formatNumber(totals.accepted)}>accepted</Count>
          <Count value={formatNumber(totals.duplicates)}>{totals.duplicates === 1 ? "duplicate" : "duplicates"}</Count>
          <Count value={formatNumber(totals.rejected)}>rejected</Count>
          <Count value={totals.validity === null ? "–" : `${percent(totals.validity)} %`}>valid</Count>
          <Count value={totals.pace === null ? "–" : formatNumber(totals.pace)}>an hour</Count>
        </>
      )}
      <Goal state={state} accepted={totals.campaign} percent={percent} />
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

function Goal({
  state: { goal, days, today, endsOn },
  accepted,
  percent,
}: {
  state: EntryState;
  accepted: number;
  percent: (share: number) => string;
}) {
  if (goal === null) return <Count value={formatNumber(accepted)}>in the campaign, which has no goal yet</Count>;
  const day = goalProjection({ goal, accepted, days, today });
  const late = day !== null && endsOn !== null && day > endsOn;
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-muted-foreground md:ml-auto">
      <span className="whitespace-nowrap">
        <strong className="font-semibold text-foreground">{formatNumber(accepted)}</strong> of {formatNumber(goal)} ·{" "}
        {percent(accepted / goal)} %
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
          title={`At the pace of the last 14 days${late && endsOn ? `. The campaign ends ${formatDay(endsOn)}` : ""}`}
          className={late ? "whitespace-nowrap text-warning" : "whitespace-nowrap"}
        >
          goal {formatDay(day)}
          {late && ", late"}
        </span>
      )}
    </span>
  );
}
