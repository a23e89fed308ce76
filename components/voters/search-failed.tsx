"use client";

import { useEffect, useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button, buttonVariants } from "@/components/ui/button";
import type { Failure } from "@/lib/http/ask-signet";

/**
 * What went wrong, in the server's words, and the way to try again: at once, or when the limit allows it. When the session has
 * ended, the way to sign in and come back: what was typed has to be kept meanwhile.
 */
export function SearchFailed({ failure, onRetry }: { failure: Failure; onRetry: () => void }) {
  const [left, setLeft] = useState(failure.retryAfter ?? 0);

  useEffect(() => {
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1000);
    return () => clearInterval(timer);
  }, []);

  return (
    <div className="flex max-w-2xl flex-col items-start gap-3 p-4">
      <Alert>
        {failure.error}
        {failure.status === 401 && " What you typed is still here afterwards."}
      </Alert>
      <div className="flex flex-wrap gap-2">
        {failure.status === 401 && (
          <a href={`/login?next=${encodeURIComponent(location.pathname)}`} className={buttonVariants()}>
            Sign in again
          </a>
        )}
        <Button variant="outline" aria-disabled={left > 0} onClick={() => left > 0 || onRetry()}>
          {left > 0 ? `Retry in ${left} s` : "Retry"}
        </Button>
      </div>
    </div>
  );
}
