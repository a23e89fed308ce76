"use client";

import { useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";

/** Starts a sheet by the number on the paper, or the next one. `onStart` answers what went wrong, or null. */
export function StartSheet({
  autoFocus = false,
  onStart,
}: {
  autoFocus?: boolean;
  onStart: (number: number | null) => Promise<string | null>;
}) {
  const id = useId();
  const [problem, setProblem] = useState<string | null>(null);
  const [pending, setPending] = useState(false);

  return (
    <form
      className="flex flex-col gap-1"
      onSubmit={async (event) => {
        event.preventDefault();
        if (pending) return;
        const text = String(new FormData(event.currentTarget).get("sheet") ?? "").trim();
        if (text !== "" && !/^[1-9]\d{0,5}$/.test(text))
          return setProblem("Type the number of the sheet, 1 to 999999.");
        setPending(true);
        setProblem(null);
        setProblem(await onStart(text === "" ? null : Number(text)));
        setPending(false);
      }}
    >
      <label htmlFor={id} className="text-muted-foreground text-xs">
        Number on the paper; empty for the next one
      </label>
      <div className="flex gap-2">
        <Input
          id={id}
          name="sheet"
          inputMode="numeric"
          autoComplete="off"
          maxLength={6}
          autoFocus={autoFocus}
          aria-describedby={`${id}-problem`}
          aria-invalid={problem !== null}
          className="max-w-32"
        />
        <Button type="submit" aria-disabled={pending}>
          {pending ? "Starting…" : "Start or resume"}
        </Button>
      </div>
      <p id={`${id}-problem`} role="alert" className="min-h-5 text-destructive text-sm">
        {problem}
      </p>
    </form>
  );
}
