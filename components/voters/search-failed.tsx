"use client";

import { useEffect, useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import type { Failure } from "@/lib/http/ask-signet";

/** What went wrong, in the server's words, and the way to try again: at once, or when the limit allows it. */
export function SearchFailed({ failure, onRetry }: { failure: Failure; onRetry: () => void }) {
  const [left, setLeft] = useState(failure.retryAfter ?? 0);

  useEffect(() => {
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1000);
    return () => clearInterval(timer);
  }, []);

  return (
    <div className="flex max-w-2xl flex-col items-start gap-3 p-4">
      <Alert>{failure.error}</Alert>
      <Button variant="outline" aria-disabled={left > 0} onClick={() => left > 0 || onRetry()}>
        {left > 0 ? `Retry in ${left} s` : "Retry"}
      </Button>
    </div>
  );
}
