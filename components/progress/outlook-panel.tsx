"use client";

import { outlookText } from "@/components/progress/outlook-text";
import { toneClass } from "@/components/progress/tone-class";
import { useFormat } from "@/components/shell/format-provider";
import type { ReckonedProgress } from "@/lib/progress/reckon-progress";
import { cn } from "@/lib/utils";

/** Whether it will qualify, in words, with what that takes for granted. */
export function OutlookPanel(known: ReckonedProgress) {
  const { tone, title, says, assumes } = outlookText(known, useFormat());
  return (
    <section aria-labelledby="outlook" className="flex overflow-hidden rounded-md border">
      <span aria-hidden className={cn("w-1 shrink-0", toneClass[tone])} />
      <div className="flex min-w-0 flex-col gap-1 px-4 py-3">
        <h2 id="outlook" className="text-muted-foreground text-sm">
          Will it qualify?
        </h2>
        <p className="font-semibold text-xl">{title}</p>
        <p>{says}</p>
        {assumes && <p className="text-muted-foreground text-sm">{assumes}</p>}
      </div>
    </section>
  );
}
