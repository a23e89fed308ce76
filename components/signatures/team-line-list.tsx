"use client";

import { Undo2, X } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { useFormat } from "@/components/shell/format-provider";
import { LineList, placeText } from "@/components/signatures/line-list";
import { type ShownLine, storedLine } from "@/components/signatures/shown-lines";
import { Button, buttonVariants } from "@/components/ui/button";
import { type FormSubmit, unsent } from "@/lib/forms/form-state";
import type { CampaignOfTeam } from "@/lib/ids";
import type { LineOutcome } from "@/lib/signatures/line-outcome";
import type { TeamLine } from "@/lib/signatures/list-team-lines";

/** Lines of the team, of one sheet or the last of all, with who keyed them. `removable` says whose lines can be removed. */
export function TeamLineList({
  lines,
  sheet,
  place,
  removable,
  removal,
}: {
  lines: TeamLine[];
  sheet: number | null;
  place: CampaignOfTeam;
  removable: { own: boolean; others: boolean; userId: string };
  removal: FormSubmit<LineOutcome>;
}) {
  const { shortDay } = useFormat();
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const [pending, setPending] = useState<string | null>(null);
  const [said, setSaid] = useState<{ text: string; wrong: boolean } | null>(null);
  const clerkOf = new Map(lines.map((line) => [line.id, line.enteredBy?.id]));

  const shown = lines.map((line): ShownLine => {
    const who = line.enteredBy?.name ?? "somebody whose account is gone";
    const stored = storedLine({ ...line, removedAt: removed.includes(line.id) ? "now" : line.removedAt });
    const detail = [stored.detail, `${shortDay(line.enteredAt)} by ${who}`].filter(Boolean).join(" · ");
    return { ...stored, detail, words: stored.state === "undone" ? "removed" : stored.words };
  });

  const remove = async (line: ShownLine) => {
    if (pending !== null) return;
    setPending(line.id);
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...place, id: line.id })) form.set(name, value);
    try {
      const answer = await removal(unsent, form);
      if (answer.error === null) setRemoved((ids) => [...ids, line.id]);
      setSaid({ text: answer.error ?? `Removed: ${placeText(line)}.`, wrong: answer.error !== null });
    } catch {
      setSaid({ text: "Signet could not be reached, and nothing was removed. Try again in a moment.", wrong: true });
    }
    setPending(null);
  };

  const mayRemove = ({ id, state }: ShownLine) =>
    state !== "undone" && (clerkOf.get(id) === removable.userId ? removable.own : removable.others);

  return (
    <section aria-labelledby="team-lines">
      <div className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-1 border-b px-4 py-1 md:px-6">
        <h2 id="team-lines" className="font-semibold">
          {sheet === null ? "The team’s last lines" : `Sheet ${sheet}`}
        </h2>
        <p role="status" className={said?.wrong ? "min-w-0 flex-1 text-destructive text-sm" : "min-w-0 flex-1 text-sm"}>
          {said?.text}
        </p>
        {sheet !== null && (
          <Link
            href={`/${place.team}/campaign/${place.campaign}/signatures`}
            prefetch={false}
            className={buttonVariants({ variant: "ghost" })}
          >
            <X aria-hidden />
            Leave the sheet
          </Link>
        )}
      </div>
      <LineList
        label={sheet === null ? "The team’s last lines" : `Lines of sheet ${sheet}`}
        lines={shown}
        act={(line) =>
          mayRemove(line) && (
            <Button
              variant="ghost"
              aria-disabled={pending !== null}
              className="text-muted-foreground hover:text-foreground"
              onClick={() => remove(line)}
            >
              <Undo2 aria-hidden />
              {pending === line.id ? "Removing…" : "Remove"}
              <span className="sr-only"> {[placeText(line), line.name].filter(Boolean).join(", ")}</span>
            </Button>
          )
        }
      />
      {lines.length === 0 && (
        <p className="px-4 py-4 text-muted-foreground md:px-6">
          {sheet === null ? "No line was entered yet." : `No line of sheet ${sheet} was entered yet.`}
        </p>
      )}
    </section>
  );
}
