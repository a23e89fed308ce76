import { useFormat } from "@/components/shell/format-provider";
import { Conflict } from "@/components/signatures/entry/conflict";
import type { Entry } from "@/components/signatures/entry/use-entry";
import { Button } from "@/components/ui/button";
import type { Format } from "@/lib/format/format-of";
import { nextEmptyLine } from "@/lib/signatures/entry/shown-lines";
import { nameText, placeText } from "@/lib/signatures/line-text";
import { isLine, isSendable, needsAttention, type OutboxItem, outboxCsv } from "@/lib/signatures/outbox/outbox";
import type { Blocked } from "@/lib/signatures/outbox/send";
import { verdictWords } from "@/lib/signatures/verdicts";

/** What isn't sent yet and why, and the lines that need attention. It comes last, so that nothing moves when it appears. */
export function OutboxList({ entry }: { entry: Entry }) {
  const { place, form, context, outbox, actions, canRemove, isArchived, lastName, dispatch, setDialog } = entry;
  const format = useFormat();
  const { items, blocked } = outbox;
  const pending = items.filter(isSendable);
  const refused = items.filter((item) => item.refused !== null);
  const needingAttention = items.filter(needsAttention);

  const unsaved = isArchived ? needingAttention : refused;

  const exportUnsaved = () => {
    const url = URL.createObjectURL(new Blob([outboxCsv(unsaved)], { type: "text/csv" }));
    const download = `unsaved-lines-${place.campaign}.csv`;
    Object.assign(document.createElement("a"), { href: url, download }).click();
    URL.revokeObjectURL(url);
  };

  // The button disappears, and the focus would be lost with it.
  const resend = (item: OutboxItem, line?: number) => {
    const isMoved = isLine(item) && line !== undefined;
    dispatch({ type: "message", text: `Sent again: ${isMoved ? `line ${line}, ` : ""}${changeTitle(item)}.` });
    if (isMoved) {
      outbox.discard(item);
      outbox.record({ ...item.change, line });
    } else outbox.resend(item);
    lastName.current?.focus();
  };

  return (
    <>
      <div role="status" className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-sm md:px-6">
        {blocked && pending.length > 0 && (
          <>
            <p className="flex min-w-0 items-center gap-2 text-warning">
              <span aria-hidden className="size-2 shrink-0 rounded-full bg-warning-mark" />
              {blockedText(pending, blocked, format)}
            </p>
            {blocked.blockedBy === "signed-out" && (
              <a
                href={`/login?next=/${place.team}/campaign/${place.campaign}/signatures`}
                className="font-medium text-primary underline underline-offset-4"
              >
                Sign in again
              </a>
            )}
            {blocked.blockedBy === "updated" && (
              <Button variant="outline" onClick={() => location.reload()}>
                Reload now
              </Button>
            )}
          </>
        )}
      </div>
      {needingAttention.length > 0 && (
        <section aria-labelledby="needs-attention" className="border-b">
          <div className="flex min-h-11 flex-wrap items-center justify-between gap-2 px-4 py-1 md:px-6">
            <h2 id="needs-attention" className="scroll-mt-16 font-semibold">
              {isArchived ? format.count(needingAttention.length, "unsaved line") : attentionText(items, format)}
            </h2>
            {form.sheet === null && !isArchived && <LookUpButton outbox={outbox} />}
            {unsaved.length > 0 && (
              <Button variant="ghost" onClick={exportUnsaved}>
                Export unsaved lines
              </Button>
            )}
          </div>
          <ul aria-label="Needs attention" className="divide-y border-t">
            {needingAttention.map((item) => {
              const { change, refused } = item;
              const where = "sheet" in change ? placeText(change) : "";
              const label = <span className="sr-only"> {[where, changeTitle(item)].filter(Boolean).join(", ")}</span>;
              return (
                <li key={item.id} className="flex flex-col gap-2 px-4 py-3 md:px-6">
                  <p className="flex flex-wrap items-baseline gap-x-3">
                    <strong className="wrap-anywhere font-medium">{changeTitle(item)}</strong>
                    <span className="text-muted-foreground text-sm">{where}</span>
                  </p>
                  {refused?.taken && isLine(item) && !isArchived ? (
                    <Conflict
                      item={item}
                      taken={refused.taken}
                      place={place}
                      emptyLine={
                        item.change.sheet === form.sheet
                          ? nextEmptyLine((line) => !context.lines.has(line), context.lineCount, item.change.line)
                          : null
                      }
                      removeLine={actions.removeLine}
                      canRemove={canRemove}
                      onResend={(line) => resend(item, line)}
                      onDiscard={() => setDialog({ discard: item })}
                    />
                  ) : (
                    <div className="flex flex-wrap items-center gap-2">
                      {refused && (
                        <p className="wrap-anywhere min-w-0 flex-1 basis-64 text-destructive text-sm">
                          {refused.error}
                        </p>
                      )}
                      {"line" in change && !isArchived && (
                        <Button variant="outline" onClick={() => outbox.putBack(item)}>
                          {refused ? "Correct" : "Look up"}
                          {label}
                        </Button>
                      )}
                      {refused && change.kind !== "unreadable" && (
                        <Button variant="outline" onClick={() => resend(item)}>
                          {refused.reason === "sheet-closed" ? "Reopen" : "Send again"}
                          {label}
                        </Button>
                      )}
                      <Button variant="ghost" onClick={() => setDialog({ discard: item })}>
                        Discard{label}
                      </Button>
                    </div>
                  )}
                </li>
              );
            })}
          </ul>
        </section>
      )}
    </>
  );
}

/** Looks up the lines that were saved as typed, one after another. */
export function LookUpButton({ outbox: { items, putBackTyped } }: Pick<Entry, "outbox">) {
  const { count } = useFormat();
  const typedCount = items.filter(({ change }) => change.kind === "typed").length;
  return typedCount === 0 ? null : (
    <Button variant="outline" className="-my-1 mr-auto" onClick={putBackTyped}>
      {items.some(({ refused }) => refused !== null) ? `Look up ${count(typedCount, "line")}` : "Look up"}
    </Button>
  );
}

/** How many lines are to look up, or with refused ones need attention; null if there are none. */
export function attentionText(items: readonly OutboxItem[], { count }: Format): string | null {
  const needingAttention = items.filter(needsAttention);
  if (needingAttention.length === 0) return null;
  return needingAttention.some(({ refused }) => refused !== null)
    ? `${count(needingAttention.length, "line needs", "lines need")} attention`
    : count(needingAttention.length, "line needs a lookup", "lines need a lookup");
}

/** Describes an item in a few words. */
export function changeTitle({ change }: OutboxItem): string {
  switch (change.kind) {
    case "line":
      if (change.verdict === "accepted") return change.name || "No name";
      return [change.name, verdictWords[change.verdict]].filter(Boolean).join(", ");
    case "typed":
      return nameText(change) || "No name";
    case "undo":
      return "Remove a line";
    case "restore":
      return "Restore a line";
    case "open-sheet":
      return `Start sheet ${change.sheet}`;
    case "close-sheet":
      return `Close sheet ${change.sheet}`;
    case "unreadable":
      return "A line saved by another version of Signet";
  }
}

/** Why changes aren't sent, and what to do. */
export function blockedText(pending: readonly OutboxItem[], { blockedBy }: Blocked, { count }: Format): string {
  const unsent = count(pending.length, `unsent ${pending.every(isLine) ? "line" : "change"}`);
  switch (blockedBy) {
    case "connection":
      return `No connection. ${unsent} will be sent when you're back online.`;
    case "unavailable":
      return `Signet isn't responding. ${unsent} will be sent when it's back.`;
    case "signed-out":
      return `Your session has ended. Sign in again to send ${unsent} saved on this device.`;
    case "updated":
      return `Signet was updated. Reload the page to send ${unsent} saved on this device.`;
  }
}
