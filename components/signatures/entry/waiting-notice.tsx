import { useFormat } from "@/components/shell/format-provider";
import { Button } from "@/components/ui/button";
import type { Format } from "@/lib/format/format-of";
import { type Entry, isLine, isSendable } from "@/lib/signatures/queue/entry";
import type { Waiting } from "@/lib/signatures/queue/send";

/** What waits on this device and why. It stands below all else, so that nothing moves when it comes. */
export function WaitingNotice({
  entries,
  waiting,
  signInAt,
  onLookUp,
}: {
  entries: readonly Entry[];
  waiting: Waiting | null;
  /** Where to sign in again. */
  signInAt: string;
  /** Goes on with the lines that were kept as typed. */
  onLookUp: () => void;
}) {
  const format = useFormat();
  const left = entries.filter(isSendable);
  const typed = entries.filter(({ what }) => what.kind === "typed").length;
  return (
    <div role="status" className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-sm md:px-6">
      {waiting && left.length > 0 && (
        <>
          <p className="flex min-w-0 items-center gap-2 text-warning">
            <span aria-hidden className="size-2 shrink-0 rounded-full bg-warning-mark" />
            {waitingText(left, waiting, format)}
          </p>
          {waiting.trouble === "signed-out" && (
            <a href={signInAt} className="font-medium text-primary underline underline-offset-4">
              Sign in again
            </a>
          )}
          {waiting.trouble === "updated" && (
            <Button variant="outline" onClick={() => location.reload()}>
              Reload now
            </Button>
          )}
        </>
      )}
      {typed > 0 && (
        <>
          <p className="text-warning">{format.count(typed, "line was", "lines were")} kept as typed.</p>
          <Button variant="outline" onClick={onLookUp}>
            Look {typed === 1 ? "it" : "them"} up
          </Button>
        </>
      )}
    </div>
  );
}

/** Why something waits, and what to do: mostly nothing. */
export function waitingText(left: readonly Entry[], { trouble }: Waiting, { count }: Format): string {
  const one = left.length === 1;
  const what = left.some(isLine) ? "line" : "change";
  const waits = count(left.length, `${what} waits`, `${what}s wait`);
  switch (trouble) {
    case "connection":
      return `${waits} for the connection, will be sent on ${one ? "its" : "their"} own.`;
    case "unavailable":
      return `${waits}: Signet does not answer at the moment. ${one ? "It" : "They"} will be sent on ${one ? "its" : "their"} own.`;
    case "signed-out":
      return `Your session has ended, and ${waits}. Sign in again; nothing is lost.`;
    case "updated":
      return `Signet was updated, and ${waits}. Reload the page; nothing is lost.`;
  }
}
