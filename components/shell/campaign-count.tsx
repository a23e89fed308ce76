"use client";

import { createContext, type ReactNode, use, useEffect, useMemo, useState } from "react";
import { type Count, GoalCount } from "@/components/shell/goal-count";
import { cn } from "@/lib/utils";

const Told = createContext<{ told: Count | null; tell: (count: Count | null) => void }>({
  told: null,
  tell: () => undefined,
});

/** Lets a page that follows the count of its campaign tell it to the bar above. */
export function CampaignCountProvider({ children }: { children: ReactNode }) {
  const [told, tell] = useState<Count | null>(null);
  const both = useMemo(() => ({ told, tell }), [told]);
  return <Told value={both}>{children}</Told>;
}

/** Tells the bar how many signatures are accepted by now, as long as this is on the page. */
export function useTellCount({ accepted, goal }: Count) {
  const { tell } = use(Told);
  useEffect(() => {
    tell({ accepted, goal });
    return () => tell(null);
  }, [tell, accepted, goal]);
}

/** How many signatures are accepted, of how many: as the page says by now, else as it was when the page was made. */
export function CampaignCount({ className, ...given }: Count & { className?: string }) {
  return <GoalCount {...(use(Told).told ?? given)} brief className={cn("text-sm", className)} />;
}
