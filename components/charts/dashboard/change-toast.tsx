import { X } from "lucide-react";
import { useState } from "react";
import type { Changes } from "@/components/charts/dashboard/use-dashboard";
import { Button, IconButton } from "@/components/ui/button";
import { cn } from "@/lib/utils";

const box =
  "pointer-events-auto flex min-h-10 min-w-0 items-center gap-3 rounded-md border bg-popover px-4 py-1 text-sm shadow-popover";

// The button that had the focus was removed with its chart.
const takeFocus = (button: HTMLButtonElement | null) => button?.focus();

/** The outcome of the last change. It lies over the page, so that nothing moves, and can undo a deletion. */
export function ChangeToast({ changes: { state, last, pending, run } }: { changes: Changes }) {
  const [closed, setClosed] = useState<object | null>(null);
  const deleted = state.error === null && last && "verb" in last && last.verb === "deleteChart" ? last : null;
  const deletedId = deleted?.fields.id;
  const stays = deletedId !== undefined || state.error !== null;
  return (
    <div role="status" className="pointer-events-none fixed inset-x-4 bottom-4 z-20 flex justify-center print:hidden">
      {pending && <p className={cn(box, "appear-late text-muted-foreground")}>Saving…</p>}
      {!pending && closed !== state && (state.error ?? state.message) && (
        <div className={cn(box, stays ? "pr-1" : "vanish")}>
          {state.error === null ? (
            <p className="wrap-anywhere min-w-0">{state.message}</p>
          ) : (
            <p role="alert" className="wrap-anywhere min-w-0 text-destructive">
              {state.error}
            </p>
          )}
          {deletedId && (
            <Button ref={takeFocus} variant="outline" onClick={() => run("restoreChart", { id: deletedId })}>
              Undo
            </Button>
          )}
          {stays && <IconButton icon={X} label="Close message" onClick={() => setClosed(state)} />}
        </div>
      )}
    </div>
  );
}
