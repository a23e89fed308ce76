"use client";

import { Check, X } from "lucide-react";
import { type Explained, explainLines, explanationSummary } from "@/components/permissions/explain-lines";
import { useFormat } from "@/components/shell/format-provider";
import type { AccessExplanation } from "@/lib/permissions/explain";
import { cn } from "@/lib/utils";

/** Why someone has a permission in a place: what grants it, or what is missing. */
export function Explanation({
  explanation,
  about,
  permissionKey,
}: {
  explanation: AccessExplanation;
  about: Explained;
  permissionKey: string;
}) {
  const format = useFormat();
  return (
    <div className="flex flex-col gap-2">
      <p className="wrap-anywhere font-medium">{explanationSummary(explanation, about, permissionKey)}</p>
      <ol className="divide-y rounded-md border">
        {explainLines(explanation, about, format).map(({ holds, text }) => (
          <li key={text} className="flex items-start gap-2 px-3 py-2">
            {holds ? (
              <Check aria-label="Yes" className="mt-0.5 size-4 shrink-0 text-success" />
            ) : (
              <X
                aria-label="No"
                className={cn(
                  "mt-0.5 size-4 shrink-0",
                  explanation.granted ? "text-muted-foreground" : "text-destructive",
                )}
              />
            )}
            <span className="wrap-anywhere min-w-0 flex-1">{text}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
