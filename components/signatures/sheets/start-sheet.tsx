"use client";

import { useId, useState } from "react";
import { PaperFields, readPaper } from "@/components/signatures/sheets/paper-fields";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import type { Paper } from "@/lib/signatures/changes";

/** Starts a sheet by the number on the paper, or the next one. `onStart` answers what went wrong, or null. */
export function StartSheet({
  autoFocus = false,
  circulators,
  onStart,
}: {
  autoFocus?: boolean;
  /** Names to choose from. */
  circulators: readonly string[];
  onStart: (number: number | null, paper: Paper) => Promise<string | null>;
}) {
  const id = useId();
  const [problem, setProblem] = useState<string | null>(null);
  const [pending, setPending] = useState(false);

  return (
    <form
      className="flex max-w-md flex-col gap-3"
      onSubmit={async (event) => {
        event.preventDefault();
        if (pending) return;
        const form = new FormData(event.currentTarget);
        const text = String(form.get("sheet") ?? "").trim();
        if (text !== "" && !/^[1-9]\d{0,5}$/.test(text))
          return setProblem("Type the number of the sheet, 1 to 999999.");
        const paper = readPaper(form);
        if (typeof paper === "string") return setProblem(paper);
        setPending(true);
        setProblem(null);
        setProblem(await onStart(text === "" ? null : Number(text), paper));
        setPending(false);
      }}
    >
      <Field id={id} label="Number on the paper">
        <Input
          id={id}
          name="sheet"
          inputMode="numeric"
          autoComplete="off"
          maxLength={6}
          autoFocus={autoFocus}
          placeholder="empty for the next one"
          aria-describedby={`${id}-problem`}
          aria-invalid={problem !== null}
        />
      </Field>
      <PaperFields paper={null} circulators={circulators} />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" aria-disabled={pending}>
          {pending ? "Starting…" : "Start or resume"}
        </Button>
        <p id={`${id}-problem`} role="alert" className="min-w-0 text-destructive text-sm">
          {problem}
        </p>
      </div>
    </form>
  );
}
