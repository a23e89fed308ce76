import type { ReactNode, Ref } from "react";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import type { Rejection } from "@/lib/signatures/verdicts";

/** What can be done with the line at hand beside accepting it, and the letter for it. */
export const verdictKeys = [
  { key: "d", verdict: "duplicate", label: "Duplicate" },
  { key: "n", verdict: "not-found", label: "Not found" },
  { key: "i", verdict: "illegible", label: "Illegible" },
  { key: "r", verdict: "not-registered", label: "Not registered" },
  { key: "t", verdict: "out-of-district", label: "Out of district" },
  { key: "e", verdict: "outside-dates", label: "Outside dates" },
  { key: "o", verdict: "other", label: "Other…" },
] as const satisfies { key: string; verdict: Rejection; label: string }[];

/** The keys of the form as buttons. The letters act while the list of voters or these have the focus. */
export function VerdictBar({
  ref,
  canUndo,
  onAccept,
  onVerdict,
  onUndo,
}: {
  ref: Ref<HTMLDivElement>;
  canUndo: boolean;
  onAccept: () => void;
  onVerdict: (verdict: Rejection) => void;
  onUndo: () => void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div
      ref={ref}
      role="group"
      aria-label="What becomes of the line"
      className="flex flex-wrap items-center gap-2 border-b px-4 py-2 @max-3xl:grid @max-3xl:grid-cols-2 md:px-6"
    >
      <Button onClick={onAccept}>
        Accept <Hint strong>⏎</Hint>
      </Button>
      {verdictKeys.map(({ key, verdict, label }) => (
        <Button key={verdict} data-verdict={verdict} variant="outline" onClick={() => onVerdict(verdict)}>
          {label} <Hint>{key.toUpperCase()}</Hint>
        </Button>
      ))}
      <Button variant="ghost" aria-disabled={!canUndo} onClick={() => canUndo && onUndo()} className="@3xl:ml-auto">
        Undo <Hint>U</Hint>
      </Button>
    </div>
  );
}

function Hint({ strong = false, children }: { strong?: boolean; children: ReactNode }) {
  return (
    <Kbd
      aria-hidden
      className={
        strong
          ? "border-primary-foreground/40 bg-transparent text-primary-foreground pointer-coarse:hidden"
          : "pointer-coarse:hidden"
      }
    >
      {children}
    </Kbd>
  );
}
