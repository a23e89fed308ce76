import { useId, useState } from "react";
import { useFormat } from "@/components/shell/format-provider";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { type FormSubmit, unsent } from "@/lib/forms/form-state";
import { tellIfSessionEnded } from "@/lib/forms/session-ended";
import type { CampaignOfTeam } from "@/lib/ids";
import type { Entry, EntryRefusal, LineEntry } from "@/lib/signatures/queue/entry";
import { verdictWords } from "@/lib/signatures/verdicts";

/** Two lines for one place on paper, side by side: what was keyed here, and what somebody stored meanwhile. One is chosen. */
export function Conflict({
  entry,
  taken,
  place,
  emptyLine,
  removal,
  mayRemove,
  onResend,
  onDiscard,
}: {
  entry: LineEntry;
  taken: NonNullable<EntryRefusal["taken"]>;
  place: CampaignOfTeam;
  emptyLine: number | null;
  /** Removes the other line, for a reason. */
  removal: FormSubmit;
  /** Whether she may remove others' lines too. */
  mayRemove: boolean;
  onResend: (entry: Entry, line?: number) => void;
  onDiscard: (entry: Entry) => void;
}) {
  const id = useId();
  const { dateTime } = useFormat();
  const [line, setLine] = useState<string | null>(null);
  // Offered as soon as it is known, which after a reload is later than this; a number once shown never changes by itself.
  if (line === null && emptyLine !== null) setLine(String(emptyLine));
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { what } = entry;
  const mine = what.kind === "signature" ? [what.lastName, what.firstName].filter(Boolean).join(", ") : what.name;
  const theirs =
    [taken.lastName, taken.firstName].filter(Boolean).join(", ") || (taken.voterId && `voter ${taken.voterId}`);

  const replace = async () => {
    if (pending) return;
    setPending(true);
    setProblem(null);
    const form = new FormData();
    const because = `Keyed again as ${[mine, verdictWords[verdictOf(entry)]].filter(Boolean).join(", ")}`;
    for (const [name, value] of Object.entries({ ...place, id: taken.id, because })) form.set(name, value);
    try {
      const answer = await removal(unsent, form);
      if (answer.error === null) onResend(entry);
      setProblem(answer.error);
      tellIfSessionEnded(answer);
    } catch {
      setProblem("Signet could not be reached, and nothing was changed. Try again in a moment.");
    }
    setPending(false);
  };

  return (
    <div className="flex flex-col gap-2">
      <div className="grid @3xl:grid-cols-2 gap-2">
        {[
          {
            title: "Keyed here",
            name: mine,
            words: verdictWords[verdictOf(entry)],
            when: `by you, ${dateTime(entry.at)}`,
          },
          {
            title: "Stands there",
            name: theirs,
            words: verdictWords[taken.verdict],
            when: `by ${taken.mine ? "you" : (taken.enteredBy ?? "an account that is gone")}, ${dateTime(taken.enteredAt)}`,
          },
        ].map(({ title, name, words, when }) => (
          <div key={title} className="min-w-0 rounded-md border p-3">
            <h3 className="text-muted-foreground text-xs">{title}</h3>
            <p className="wrap-anywhere font-medium">{name || "No name"}</p>
            <p className="text-muted-foreground text-sm">
              {words} · {when}
            </p>
          </div>
        ))}
      </div>
      <div className="flex flex-wrap items-end gap-2">
        <Button variant="outline" onClick={() => onDiscard(entry)}>
          Keep what stands there
        </Button>
        {(mayRemove || taken.mine) && (
          <Button variant="outline" aria-disabled={pending} onClick={replace}>
            {pending ? "Replacing…" : "Replace it with mine"}
          </Button>
        )}
        <form
          className="flex items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (line === null || !/^[1-9]\d{0,3}$/.test(line))
              return setProblem("Type the number of the line, 1 to 9999.");
            onResend(entry, Number(line));
          }}
        >
          <div className="flex flex-col gap-1">
            <label htmlFor={id} className="text-muted-foreground text-xs">
              Or mine stands on line
            </label>
            <Input
              id={id}
              inputMode="numeric"
              maxLength={4}
              value={line ?? ""}
              onChange={(event) => setLine(event.target.value)}
            />
          </div>
          <Button type="submit" variant="outline">
            Store it there
          </Button>
        </form>
      </div>
      <p role="alert" className="text-destructive text-sm empty:hidden">
        {problem}
      </p>
    </div>
  );
}

const verdictOf = ({ what }: LineEntry) => (what.kind === "signature" ? "accepted" : what.verdict);
