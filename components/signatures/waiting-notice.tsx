import { type Entry, isLine, isSendable } from "@/components/signatures/entry";
import type { Waiting } from "@/components/signatures/send-entries";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";

/** What waits on this device and why, beside the title of the list, where its place is kept. */
export function WaitingNotice({
  title,
  entries,
  waiting,
  signInAt,
  onLookUp,
}: {
  title: string;
  entries: readonly Entry[];
  waiting: Waiting | null;
  /** Where to sign in again. */
  signInAt: string;
  /** Goes on with the lines that were kept as typed. */
  onLookUp: () => void;
}) {
  const left = entries.filter(isSendable);
  const typed = entries.filter(({ what }) => what.kind === "typed").length;
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 border-b px-4 py-1 md:px-6">
      {title && <h2 className="font-semibold">{title}</h2>}
      <div role="status" className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        {waiting && left.length > 0 && (
          <>
            <p className="flex min-w-0 items-center gap-2 text-warning">
              <span aria-hidden className="size-2 shrink-0 rounded-full bg-warning-mark" />
              {waitingText(left, waiting)}
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
            <p className="text-warning">{typed === 1 ? "1 line was" : `${typed} lines were`} kept as typed.</p>
            <Button variant="outline" onClick={onLookUp}>
              Look {typed === 1 ? "it" : "them"} up{" "}
              <Kbd aria-hidden className="pointer-coarse:hidden">
                L
              </Kbd>
            </Button>
          </>
        )}
      </div>
    </div>
  );
}

/** Why something waits, and what to do: mostly nothing. */
export function waitingText(left: readonly Entry[], { trouble }: Waiting): string {
  const one = left.length === 1;
  const what = left.some(isLine) ? "line" : "change";
  const waits = `${left.length} ${what}${one ? " waits" : "s wait"}`;
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
