import { X } from "lucide-react";
import { useState } from "react";
import type { Changes } from "@/components/charts/dashboard/use-dashboard";
import { Button, IconButton } from "@/components/ui/button";
import { cn } from "@/lib/utils";

const box =
  "pointer-events-auto flex min-h-10 min-w-0 items-center gap-3 rounded-md border bg-popover px-4 py-1 text-sm shadow-popover";

// The button that had the focus was removed with its chart. Undo passes the focus on to the chart, whose id is its value.
const takeFocus = (undo: HTMLButtonElement) => {
  undo.focus();
  return () =>
    queueMicrotask(() => {
      if (document.activeElement !== document.body) return;
      const handle = document.querySelector<HTMLElement>(`[data-handle="${undo.value}"]`);
      (handle ?? document.getElementById("main"))?.focus({ preventScroll: true });
    });
};

/** The outcome of the last change, and of the last deletion, which it can undo. It lies over the page, so that nothing moves. */
export function ChangeToast({ changes: { state, deleted, pending, run } }: { changes: Changes }) {
  const [closed, setClosed] = useState<object | null>(null);
  const [closedDeleted, setClosedDeleted] = useState<object | null>(null);
  const { error } = state;
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-20 flex flex-col items-center gap-2 print:hidden"
    >
      {deleted && closedDeleted !== deleted && (
        <div className={cn(box, "pr-1")}>
          <p className="wrap-anywhere min-w-0">{deleted.message}</p>
          <Button
            ref={takeFocus}
            value={deleted.id}
            variant="outline"
            onClick={() => run("restoreChart", { id: deleted.id })}
          >
            Undo
          </Button>
          <IconButton icon={X} label="Close message" onClick={() => setClosedDeleted(deleted)} />
        </div>
      )}
      {pending && <p className={cn(box, "appear-late text-muted-foreground")}>Saving…</p>}
      {!pending && closed !== state && (state.error ?? state.message) && (
        <div className={cn(box, error ? "pr-1" : "vanish")}>
          <p role={error ? "alert" : undefined} className={cn("wrap-anywhere min-w-0", error && "text-destructive")}>
            {state.error ?? state.message}
          </p>
          {error && <IconButton icon={X} label="Close message" onClick={() => setClosed(state)} />}
        </div>
      )}
    </div>
  );
}
