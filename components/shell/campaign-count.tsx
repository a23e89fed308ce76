"use client";

import { createContext, type ReactNode, use, useEffect, useMemo, useState } from "react";
import { useFormat } from "@/components/shell/format-provider";
import { cn } from "@/lib/utils";

const LiveCount = createContext<{ live: Count | null; setLive: (count: Count | null) => void }>({
  live: null,
  setLive: () => undefined,
});

/** Lets a page show its live count in the bar above. */
export function CampaignCountProvider({ children }: { children: ReactNode }) {
  const [live, setLive] = useState<Count | null>(null);
  const value = useMemo(() => ({ live, setLive }), [live]);
  return <LiveCount value={value}>{children}</LiveCount>;
}

/** Shows this count in the bar while the component is on the page. */
export function useLiveCount({ accepted, goal }: Count) {
  const { setLive } = use(LiveCount);
  useEffect(() => {
    setLive({ accepted, goal });
    return () => setLive(null);
  }, [setLive, accepted, goal]);
}

/** How many signatures are valid, and the goal: the page's live count, otherwise the one it was rendered with. */
export function CampaignCount({ className, ...rendered }: Count & { className?: string }) {
  return <GoalCount {...(use(LiveCount).live ?? rendered)} brief className={cn("text-sm", className)} />;
}

/** How many signatures of a campaign are valid, and its goal. */
export type Count = { accepted: number; goal: number | null };

type GoalCountProps = Count & { brief?: boolean; className?: string };

/** A count of a goal: `11,862 of 50,000 · 23.7%`. When it is `brief`, phones leave the goal out. */
export function GoalCount({ accepted, goal, brief = false, className }: GoalCountProps) {
  const { number, percent } = useFormat();
  return (
    <span className={cn("whitespace-nowrap text-muted-foreground", className)}>
      <strong className="font-semibold text-foreground">{number(accepted)}</strong>
      {goal === null ? (
        " valid"
      ) : (
        <>
          <span className={brief ? "max-md:hidden" : undefined}> of {number(goal)}</span> · {percent(accepted / goal)}
        </>
      )}
    </span>
  );
}
