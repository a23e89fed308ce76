"use client";

import { useTransition } from "react";
import { Button } from "@/components/ui/button";

/** What an error page says: what happened, what to do, and the number under which the server logged it. */
export function ErrorPanel({ error, retry }: { error: unknown; retry: () => void }) {
  const [pending, startTransition] = useTransition();
  const digest = error instanceof Error && "digest" in error && typeof error.digest === "string" ? error.digest : null;
  return (
    <div className="flex max-w-2xl flex-col gap-4 px-4 py-8 md:px-6 md:py-12">
      <h1 className="font-semibold text-xl">This page could not be loaded</h1>
      <div role="alert" className="flex flex-col gap-2 leading-6">
        <p>A service that Signet needs did not answer as it should. Nothing that was saved is lost.</p>
        <p>
          Try again in a moment. If it goes on, tell whoever runs Signet for you
          {digest === null ? "." : ", with this number:"}
        </p>
      </div>
      {digest !== null && <p className="text-muted-foreground text-sm">Error {digest}</p>}
      <Button className="self-start" aria-disabled={pending} onClick={() => pending || startTransition(retry)}>
        {pending ? "Trying again…" : "Try again"}
      </Button>
    </div>
  );
}
