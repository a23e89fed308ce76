"use client";

import { useTransition } from "react";
import { Button } from "@/components/ui/button";

/** An error page: what happened, what to do, and the code under which the server logged it. */
export function ErrorPanel({ error, retry }: { error: unknown; retry: () => void }) {
  const [pending, startTransition] = useTransition();
  const digest = error instanceof Error && "digest" in error && typeof error.digest === "string" ? error.digest : null;
  return (
    <div className="flex max-w-2xl flex-col gap-4 px-4 py-8 md:px-6 md:py-12">
      <h1 className="font-semibold text-xl">This page couldn't load</h1>
      <div role="alert" className="flex flex-col gap-2 leading-6">
        <p>
          {digest === null ? "The connection was lost or something went wrong." : "Something went wrong on our side."}{" "}
          Your saved work is safe.
        </p>
        <p>
          Try again in a moment. If it keeps happening, contact your team's administrator or the person who runs this
          server{digest === null ? "." : " and give them this code:"}
        </p>
      </div>
      {digest !== null && <p className="text-muted-foreground text-sm">Error {digest}</p>}
      <Button className="self-start" aria-disabled={pending} onClick={() => pending || startTransition(retry)}>
        {pending ? "Trying again…" : "Try again"}
      </Button>
    </div>
  );
}
