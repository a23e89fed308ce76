"use client";

import { type Explained, explainLines, explanationSummary } from "@/components/permissions/explain-lines";
import { useFormat } from "@/components/shell/format-provider";
import type { AccessExplanation } from "@/lib/permissions/explain";

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
  const lines = explainLines(explanation, about, useFormat());
  return (
    <div className="wrap-anywhere flex flex-col gap-2">
      <p className="font-medium">{explanationSummary(explanation, about, permissionKey)}</p>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
}
