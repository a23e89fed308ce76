import { useEffect, useId, useState, useTransition } from "react";
import { useFormat } from "@/components/shell/format-provider";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { capitalized } from "@/lib/format/text";
import { type FormSubmit, initialFormState, toFormData } from "@/lib/forms/form-state";
import { onSessionRenewed, reportIfSessionEnded } from "@/lib/forms/session-ended";
import { unreachable } from "@/lib/http/call-api";
import type { CampaignOfTeam } from "@/lib/ids";
import { sheetOrLineNumberPattern } from "@/lib/patterns";
import type { Line } from "@/lib/signatures/line";
import { nameText, personAtStart, personText } from "@/lib/signatures/line-text";
import type { LineItem } from "@/lib/signatures/outbox/outbox";
import { verdictWords } from "@/lib/signatures/verdicts";

/** Two lines for the same line of a sheet, side by side: the clerk's and one that is already saved. The clerk chooses. */
export function Conflict({
  item,
  taken,
  place,
  emptyLine,
  removeLine,
  canRemove,
  onResend,
  onDiscard,
}: {
  item: LineItem;
  taken: Line;
  place: CampaignOfTeam;
  /** The next empty line of the sheet; null while it isn't known, and if there is none. */
  emptyLine: number | null;
  /** Removes the other line, for a reason. */
  removeLine: FormSubmit;
  canRemove: boolean;
  /** Sends it again: as the same line, or as a new one on another line. */
  onResend: (line?: number) => void;
  onDiscard: () => void;
}) {
  const id = useId();
  const { dateTime } = useFormat();
  const [typed, setTyped] = useState<string | null>(null);
  const line = typed ?? String(emptyLine ?? ""); // others may take the suggested one
  const [pending, startReplacing] = useTransition();
  const [problem, setProblem] = useState<string | null>(null);
  const { name, verdict } = item.change;
  const sides = [
    { title: "Your entry", name, words: verdictWords[verdict], when: `by you, ${dateTime(item.at)}` },
    {
      title: "Already saved",
      name: nameText(taken) || (taken.voterId && `voter ${taken.voterId}`),
      words: verdictWords[taken.verdict],
      when: `by ${personText(taken.enteredBy, taken.mine)}, ${dateTime(taken.enteredAt)}`,
    },
  ];

  useEffect(() => onSessionRenewed(() => setProblem(null)), []);
  const replace = () =>
    startReplacing(async () => {
      setProblem(null);
      const reason = `Entered again as ${[name, verdictWords[verdict]].filter(Boolean).join(", ")}`;
      const state = await removeLine(initialFormState, toFormData({ ...place, id: taken.id, reason })).catch(
        () => null,
      );
      reportIfSessionEnded(state);
      if (state?.error === null) onResend();
      else setProblem(state?.error ?? unreachable);
    });

  return (
    <div className="flex flex-col gap-2">
      <p>{personAtStart(taken.enteredBy, taken.mine)} already entered this line.</p>
      <div className="grid @3xl:grid-cols-2 gap-2">
        {sides.map(({ title, name, words, when }) => (
          <div key={title} className="min-w-0 rounded-md border p-3">
            <h3 className="text-muted-foreground text-xs">{title}</h3>
            <p className="wrap-anywhere font-medium">{name || capitalized(words)}</p>
            <p className="text-muted-foreground text-sm">{name ? `${words} · ${when}` : when}</p>
          </div>
        ))}
      </div>
      <div className="flex flex-wrap items-end gap-2">
        <Button variant="outline" onClick={onDiscard}>
          {taken.mine ? "Keep the saved one" : "Keep theirs"}
        </Button>
        {(canRemove || taken.mine) && (
          <Button variant="outline" aria-disabled={pending} onClick={() => pending || replace()}>
            {pending ? "Replacing…" : "Replace it with mine"}
          </Button>
        )}
        <form
          className="flex items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (!sheetOrLineNumberPattern.test(line)) return setProblem("Enter the line number on the paper.");
            onResend(Number(line));
          }}
        >
          <div className="flex flex-col gap-1">
            <label htmlFor={id} className="text-muted-foreground text-xs">
              Mine belongs on line
            </label>
            <Input
              id={id}
              inputMode="numeric"
              maxLength={6}
              value={line}
              onChange={(event) => setTyped(event.target.value)}
            />
          </div>
          <Button type="submit" variant="outline">
            Save to this line
          </Button>
        </form>
      </div>
      <p role="alert" className="text-destructive text-sm empty:hidden">
        {problem}
      </p>
    </div>
  );
}
