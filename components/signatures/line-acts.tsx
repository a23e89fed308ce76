import { Undo2 } from "lucide-react";
import { type Entry, isLine } from "@/components/signatures/entry";
import { placeText } from "@/components/signatures/line-list";
import type { ShownLine } from "@/components/signatures/shown-lines";
import { Button } from "@/components/ui/button";

/** Whether a line counts until it is taken back. */
export const canUndo = ({ state }: ShownLine) => state !== "undone" && state !== "refused" && state !== "typed";

/** What a clerk can do with a line of hers: undo it, look it up, or decide on one that was refused. */
export function LineActs({
  line,
  onUndo,
  onCorrect,
  onResend,
  onDiscard,
}: {
  line: ShownLine;
  onUndo: (line: ShownLine) => void;
  onCorrect: (entry: Entry) => void;
  onResend: (entry: Entry) => void;
  onDiscard: (entry: Entry) => void;
}) {
  const { entry } = line;
  const of = <span className="sr-only"> {[placeText(line), line.name].filter(Boolean).join(", ")}</span>;
  if (line.state === "refused" && entry) {
    return (
      <>
        {isLine(entry) && (
          <Button variant="outline" onClick={() => onCorrect(entry)}>
            Correct{of}
          </Button>
        )}
        {entry.what.kind !== "unreadable" && (
          <Button variant="outline" onClick={() => onResend(entry)}>
            Send again{of}
          </Button>
        )}
        <Button variant="ghost" onClick={() => onDiscard(entry)}>
          Discard{of}
        </Button>
      </>
    );
  }
  if (line.state === "typed" && entry) {
    return (
      <Button variant="outline" onClick={() => onCorrect(entry)}>
        Look up{of}
      </Button>
    );
  }
  if (!canUndo(line)) return null;
  return (
    <Button variant="ghost" className="text-muted-foreground hover:text-foreground" onClick={() => onUndo(line)}>
      <Undo2 aria-hidden />
      Undo{of}
    </Button>
  );
}
