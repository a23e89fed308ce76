"use client";

import { useFormat } from "@/components/shell/format-provider";
import { cn } from "@/lib/utils";

/** How many signatures of a campaign are accepted, and how many there are to be. */
export type Count = { accepted: number; goal: number | null };

/** A count, of how many: `11,862 of 50,000 · 23.7%`. When it is `brief`, a phone leaves the goal itself out. */
export function GoalCount({
  accepted,
  goal,
  brief = false,
  className,
}: Count & { brief?: boolean; className?: string }) {
  const { number, percent } = useFormat();
  return (
    <span className={cn("whitespace-nowrap text-muted-foreground", className)}>
      <strong className="font-semibold text-foreground">{number(accepted)}</strong>
      {goal === null ? (
        " accepted"
      ) : (
        <>
          <span className={brief ? "max-md:hidden" : undefined}> of {number(goal)}</span> · {percent(accepted / goal)}
        </>
      )}
    </span>
  );
}
