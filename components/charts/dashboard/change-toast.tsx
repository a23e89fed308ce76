import { X } from "lucide-react";
import { startTransition, useState } from "react";
import type { Changes } from "@/components/charts/dashboard/use-changes";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/utils";

const box =
  "pointer-events-auto flex min-h-10 min-w-0 items-center gap-3 rounded-md border bg-popover px-4 py-1 text-sm shadow-popover";

// The button that was pressed is gone with its chart.
const takeFocus = (button: HTMLButtonElement | null) => button?.focus();

/** What came of the last change, over the page, so that nothing on it moves. A deletion can be undone here. */
export function ChangeToast({ changes: { state, last, pending, run } }: { changes: Changes }) {
  const [closed, setClosed] = useState<object | null>(null);
  const undone = state.error === null && last?.kind === "remove" ? last.fields.id : undefined;
  const stays = undone !== undefined || state.error !== null;
  const text = undone && last?.name ? `“${last.name}” is deleted.` : state.message;
  return (
    <div role="status" className="pointer-events-none fixed inset-x-4 bottom-4 z-20 flex justify-center print:hidden">
      {pending && <p className={cn(box, "appear-late text-muted-foreground")}>Saving…</p>}
      {!pending && closed !== state && (state.error ?? state.message) && (
        <div className={cn(box, stays ? "pr-1" : "vanish")}>
          {state.error === null ? (
            <p className="wrap-anywhere min-w-0">{text}</p>
          ) : (
            <p role="alert" className="wrap-anywhere min-w-0 text-destructive">
              {state.error}
            </p>
          )}
          {undone && (
            <Button
              ref={takeFocus}
              variant="outline"
              onClick={() => startTransition(() => run("restore", { id: undone }))}
            >
              Undo
            </Button>
          )}
          {stays && (
            <Button variant="ghost" size="icon" aria-label="Close this message" onClick={() => setClosed(state)}>
              <X aria-hidden />
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
