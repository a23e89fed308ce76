import { Undo2 } from "lucide-react";
import Link from "next/link";
import { useFormat } from "@/components/shell/format-provider";
import { Button, buttonVariants } from "@/components/ui/button";
import type { SheetLine } from "@/lib/signatures/entry/sheet-lines";

/** What stands on the line that the clerk went to, and what can be done with it. */
export function StandingLine({
  line,
  register,
  onUndo,
  onMove,
}: {
  line: SheetLine;
  /** The address of the register, where a line opens its history. */
  register: string;
  onUndo: (line: SheetLine) => void;
  onMove: (line: SheetLine) => void;
}) {
  const { dateTime } = useFormat();
  const settles = line.state === "refused" || line.state === "typed";
  return (
    <section aria-label={`Line ${line.line}`} className="flex max-w-2xl flex-col gap-3 px-4 py-3 md:px-6">
      <div>
        <h2 className="wrap-anywhere font-semibold text-lg">{line.name || `Line ${line.line}`}</h2>
        <p className="text-muted-foreground">
          Line {line.line}: {line.words}
          {line.stored
            ? ` · keyed by ${line.mine ? "you" : (line.by ?? "an account that is gone")}, `
            : " · kept on this device, "}
          {dateTime(line.at)}
        </p>
      </div>
      {settles ? (
        <p className="text-warning">It waits for your decision in the list below.</p>
      ) : (
        <div className="flex flex-wrap gap-2">
          {line.mine && (
            <Button variant="outline" onClick={() => onUndo(line)}>
              <Undo2 aria-hidden />
              Undo
            </Button>
          )}
          {line.stored && (
            <>
              <Button variant="outline" onClick={() => onMove(line)}>
                Move…
              </Button>
              <Link
                href={`${register}?line=${line.id}`}
                prefetch={false}
                className={buttonVariants({ variant: "ghost" })}
              >
                History
              </Link>
            </>
          )}
        </div>
      )}
    </section>
  );
}
