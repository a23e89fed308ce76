import type { ReactNode } from "react";
import type { LineState, ShownLine } from "@/components/signatures/shown-lines";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/lib/utils";

const tones = {
  accepted: "done",
  sending: "neutral",
  waiting: "waiting",
  typed: "waiting",
  duplicate: "waiting",
  rejected: "neutral",
  refused: "wrong",
  undone: "neutral",
} as const satisfies Record<LineState, string>;

/** Lines, the newest first: where they stand, who it is, and what came of them. `act` gives what can be done with one. */
export function LineList({
  lines,
  label,
  act,
}: {
  lines: readonly ShownLine[];
  label: string;
  act: (line: ShownLine) => ReactNode;
}) {
  return (
    <ul aria-label={label} className="@container">
      {lines.map((line) => (
        <li
          key={line.id}
          className={cn(
            "grid min-h-9 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b px-4 py-0.5 @max-3xl:py-2 last:border-b-0 md:px-6",
            line.state === "refused"
              ? "@3xl:grid-cols-[9rem_minmax(0,3fr)_minmax(0,7fr)_auto] bg-destructive-soft"
              : "@3xl:grid-cols-[9rem_minmax(0,3fr)_minmax(0,4fr)_minmax(0,3fr)_6.5rem]",
            line.state === "undone" && "text-muted-foreground",
          )}
        >
          <span
            className={cn(
              "@max-3xl:order-2 text-muted-foreground text-sm",
              line.state === "refused" && "@max-3xl:col-span-full",
            )}
          >
            {placeText(line)}
            {line.detail && <span className="@3xl:hidden"> · {line.detail}</span>}
          </span>
          <span
            title={line.name}
            className={cn("truncate font-medium", line.state === "undone" && "font-normal line-through")}
          >
            {line.name || <span className="font-normal text-muted-foreground">no name</span>}
          </span>
          {line.state !== "refused" && (
            <span title={line.detail} className="@max-3xl:hidden truncate text-muted-foreground">
              {line.detail}
            </span>
          )}
          <span
            className={cn(
              "flex min-w-0 items-center @max-3xl:justify-end",
              line.state === "refused" && "@max-3xl:order-2 @max-3xl:col-span-full @max-3xl:justify-start",
            )}
          >
            <StateMark state={line.state}>{line.words}</StateMark>
          </span>
          <span
            className={cn(
              "@max-3xl:order-3 flex min-h-8 justify-end gap-1 pointer-coarse:min-h-11",
              line.state === "refused" && "@max-3xl:col-span-full",
            )}
          >
            {act(line)}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Where a line stands on paper: `sheet 12, line 4`. */
export function placeText({ sheet, line }: Pick<ShownLine, "sheet" | "line">): string {
  if (sheet === null && line === null) return "no sheet";
  return [sheet !== null && `sheet ${sheet}`, line !== null && `line ${line}`].filter(Boolean).join(", ");
}

function StateMark({ state, children }: { state: LineState; children: string }) {
  const tone = tones[state];
  if (tone === "wrong") return <span className="wrap-anywhere text-destructive text-sm">{children}</span>;
  return (
    <Badge tone={tone} title={children} className="max-w-full shrink">
      <span className="truncate">{children}</span>
    </Badge>
  );
}
