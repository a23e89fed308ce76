import { Check, Copy, LoaderCircle, type LucideIcon, Minus, Pencil, TriangleAlert, X } from "lucide-react";
import { useEffect, useRef } from "react";
import type { Entry } from "@/components/signatures/entry/use-entry";
import type { ShownLine } from "@/lib/signatures/entry/shown-lines";
import { verdictText, verdictWords } from "@/lib/signatures/verdicts";
import { cn } from "@/lib/utils";

/** The lines of the sheet, each a button that goes to it. On a phone they are a row of numbers. */
export function SheetLines({
  entry: { form, context, lines, dispatch },
  number: sheet,
}: {
  entry: Entry;
  number: number;
}) {
  const current = form.line;
  const { replaced } = context;
  const onPaper = Math.min(current ?? 0, lines.state.linesPerSheet); // not a number that is asked about first
  const rowCount = Math.max(context.lineCount, onPaper, ...context.lines.keys());
  const here = new Map(lines.otherClerks.map(({ name, line }) => [line, name ?? "Someone"]));
  const list = useRef<HTMLOListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the current line changes
  useEffect(() => {
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [current]);

  return (
    // As high as the form next to it, however many lines there are.
    <ol
      ref={list}
      aria-label={`Lines of sheet ${sheet}`}
      className="@3xl:absolute @3xl:inset-0 flex @3xl:flex-col overflow-auto overscroll-contain @3xl:border-r @max-3xl:border-b"
    >
      {Array.from({ length: rowCount }, (_, index) => index + 1).map((number) => {
        const line = context.lines.get(number);
        const corrected = replaced?.sheet === sheet &&
          replaced.line === number && {
            name: replaced.name,
            stateText: `${verdictText(replaced)}, being corrected`,
          };
        const shown = line ?? corrected;
        const who = here.get(number);
        const presenceText = who && `${who} is here`;
        const words = shown
          ? [shown.name, shown.stateText].filter(Boolean).join(", ")
          : [presenceText, number === current ? "current line" : "empty"].filter(Boolean).join(", ");
        return (
          <li key={number} className="shrink-0">
            <button
              type="button"
              aria-current={number === current ? "true" : undefined}
              aria-label={[`Line ${number}: ${words}`, line && presenceText].filter(Boolean).join("; ")}
              title={line && `${words}${line.stored ? "" : " · not sent yet"}`}
              onClick={() => dispatch({ type: "go", line: number })}
              className={cn(
                "flex @3xl:h-7 pointer-coarse:min-h-11 w-full cursor-pointer items-center gap-x-2 text-left text-sm hover:bg-muted/60 focus-visible:-outline-offset-2",
                "@max-3xl:min-h-11 @max-3xl:min-w-11 @max-3xl:flex-col @max-3xl:justify-center @max-3xl:px-1 @3xl:px-3 @3xl:md:pl-6",
                "aria-[current]:bg-primary-soft aria-[current]:shadow-[inset_2px_0_0_var(--primary)]",
                line?.state === "refused" && "bg-destructive-soft",
              )}
            >
              <span className="w-6 shrink-0 text-right text-muted-foreground tabular-nums @max-3xl:w-auto">
                {number}
              </span>{" "}
              {corrected && !line ? <Pencil aria-hidden className="size-3.5 shrink-0" /> : <LineMark line={line} />}
              <span
                className={cn(
                  "@max-3xl:hidden min-w-0 flex-1 truncate",
                  line?.state !== "accepted" && "text-muted-foreground",
                )}
              >
                {shown ? shown.name || shown.stateText : presenceText}
              </span>{" "}
              {line?.name && line.state !== "accepted" && (
                <span className="@max-5xl:hidden shrink-0 text-muted-foreground text-xs">
                  {line.state === "refused" ? line.stateText : stateWords[line.state]}
                </span>
              )}
            </button>
          </li>
        );
      })}
    </ol>
  );
}

const stateWords = { ...verdictWords, typed: "needs a lookup" };
const rejected = { icon: X, tone: "text-muted-foreground" };
const marks: Partial<Record<ShownLine["state"], { icon: LucideIcon; tone: string }>> = {
  accepted: { icon: Check, tone: "text-success" },
  duplicate: { icon: Copy, tone: "text-warning" },
  blank: { icon: Minus, tone: "text-muted-foreground" },
  typed: { icon: LoaderCircle, tone: "text-warning" },
  refused: { icon: TriangleAlert, tone: "text-destructive" },
};
const waiting = { icon: LoaderCircle, tone: "text-muted-foreground" };

/** The state of a line as an icon. */
export function LineMark({ line }: { line: ShownLine | undefined }) {
  if (!line) return <span aria-hidden className="size-3.5 shrink-0" />;
  const waits = !line.stored && line.state !== "typed" && line.state !== "refused";
  const { icon: Icon, tone } = waits ? waiting : (marks[line.state] ?? rejected);
  return <Icon aria-hidden className={cn("size-3.5 shrink-0", tone)} />;
}
