"use client";

import { useEffect, useState } from "react";
import type { Freshness } from "@/components/progress/use-live-progress";
import { useFormat } from "@/components/shell/format-provider";

/** How old the numbers are; and since when they stand, when they cannot be read again. */
export function FreshnessText({ at, failure }: Freshness) {
  const { time } = useFormat();
  const [now, setNow] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const age = at === null ? 0 : Math.max(0, Math.round((now - at) / 1000));
  const since = at === null ? "" : ` since ${time(new Date(at).toISOString())}`;
  return (
    <div className="min-h-5 min-w-32 text-right text-sm">
      <p role="status" className="text-warning">
        {failure !== null && `Not updated${since}. ${failure}`}
      </p>
      {failure === null && at !== null && (
        <p className="text-muted-foreground">updated {age < 2 ? "just now" : `${age} s ago`}</p>
      )}
    </div>
  );
}
