"use client";

import { startTransition, useActionState, useState } from "react";
import { FormError } from "@/components/forms/form-error";
import { useSessionEnded } from "@/components/forms/use-session-ended";
import { useFormat } from "@/components/shell/format-provider";
import { BlindLine, type SecondEntry } from "@/components/signatures/quality/blind-line";
import { type Settler, settlersText } from "@/components/signatures/quality/settlers-text";
import { Button } from "@/components/ui/button";
import { TextLink } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import type { VoterSource } from "@/components/voters/use-voter-search";
import { capitalized } from "@/lib/format/text";
import { type FormState, type FormSubmit, initialFormState, lostConnection, toFormData } from "@/lib/forms/form-state";
import type { CampaignOfTeam } from "@/lib/ids";
import { placeText, rangesText } from "@/lib/signatures/line-text";
import type { QualityCheck, TakenLine } from "@/lib/signatures/quality";

const focus = (element: HTMLElement | null) => element?.focus();

/** Enters drawn lines from paper a second time, one after another. The first entry is never shown. */
export function BlindEntry({
  userId,
  place,
  check: { drawn, waiting, forYou, sheetsForYou, differing, unsettled, differences },
  canSettle,
  settlers,
  source,
  enter,
}: {
  userId: string;
  place: CampaignOfTeam;
  check: Pick<
    QualityCheck,
    "drawn" | "waiting" | "forYou" | "sheetsForYou" | "differing" | "unsettled" | "differences"
  >;
  canSettle: boolean;
  /** Others who can settle differences and draw samples. */
  settlers: Settler[];
  source: VoterSource;
  enter: FormSubmit<TakenLine>;
}) {
  const { count, number, percent } = useFormat();
  const [taken, setTaken] = useState<TakenLine | null>(null);
  const line = taken?.line;
  const [entered, setEntered] = useState<TakenLine["line"]>(null);
  const [restarts, setRestarts] = useState(0);
  const sendAndTake: FormSubmit<TakenLine> = async (before, form) => {
    const after = await enter(before, form).catch(lostConnection);
    if (after.error !== null) return after;
    // In the same transition as the end of this one, or a key in between would be lost.
    startTransition(() => {
      setEntered(form.has("verdict") ? (line ?? null) : null);
      if (form.has("again")) setRestarts(restarts + 1);
      if (after.data) setTaken(after.data);
    });
    return after;
  };
  const [sent, send, pending] = useActionState<FormState<TakenLine>, FormData>(sendAndTake, initialFormState);
  const { error, message } = useSessionEnded(sent);
  const submit = (fields: SecondEntry) => pending || startTransition(() => send(toFormData({ ...place, ...fields })));
  const isNoneForYou = forYou === 0 || taken !== null;
  const toCorrect = canSettle ? differences.filter(({ right }) => right !== null).length : 0;
  const toSettle = unsettled > 0 && `${count(unsettled, "difference")} to settle`;
  const left = [toSettle, toCorrect > 0 && `${count(toCorrect, "line")} to correct`].filter(Boolean).join(", ");
  return (
    <Section
      title={line ? capitalized(placeText(line)) : "Second entry"}
      note={
        // Receives the focus when the fields of the last line are gone.
        <span ref={taken && !line ? focus : undefined} tabIndex={-1} className="outline-none">
          {line
            ? `Enter what's on paper. The first entry stays hidden. ${count(forYou, "line")} left.`
            : waiting === 0
              ? drawn === 0
                ? `No sample yet. ${canSettle ? "Draw one below." : `Ask ${settlersText(settlers)} to draw one.`}`
                : `Done: ${count(drawn, "line")} entered twice. ${number(drawn - differing)} of ${number(drawn)} agree (${percent((drawn - differing) / drawn)}). ${left === "" ? "No differences to settle." : canSettle ? "" : `Ask ${settlersText(settlers)} to settle ${count(unsettled, "difference")}.`}`
              : isNoneForYou
                ? `No lines for you now: ${number(waiting)} left, each assigned to someone else or first entered by you.`
                : `${count(forYou, "line needs", "lines need")} a second entry from you.${waiting > forYou ? ` ${number(waiting - forYou)} more ${waiting - forYou === 1 ? "isn't yours: someone else has it, or you entered it" : "aren't yours: someone else has them, or you entered them"} first.` : ""}${canSettle ? " You won't be able to settle differences on lines you enter." : ""}`}
          {!line && waiting === 0 && canSettle && left && <TextLink href="#differences">{left}</TextLink>}
        </span>
      }
    >
      {!line && sheetsForYou.length > 0 && (
        <details open={sheetsForYou.length <= 10} className="print:details-content:[content-visibility:visible]">
          <summary className="cursor-pointer pointer-coarse:py-3">Pull {count(sheetsForYou.length, "sheet")}</summary>
          <p className="wrap-anywhere pt-1">{rangesText(sheetsForYou).join(", ")}</p>
        </details>
      )}
      {line ? (
        <BlindLine
          key={restarts}
          line={line}
          draftName={`signet:second-entry:${userId}:${place.team}/${place.campaign}`}
          source={source}
          pending={pending}
          failed={sent.error === null ? null : sent}
          onEnter={(entry) => submit({ id: line.id, ...entry })}
        />
      ) : (
        waiting > 0 && (
          <Button className="self-start" aria-disabled={pending} onClick={() => submit({})}>
            {isNoneForYou ? "Check again" : "Enter lines"}
          </Button>
        )
      )}
      <p role="status" className="text-muted-foreground empty:hidden">
        {pending ? (line ? "Saving…" : "Loading…") : message}
      </p>
      {entered && (
        <Button
          variant="outline"
          className="self-start"
          aria-disabled={pending}
          onClick={() => submit({ id: line?.id, again: entered.id })}
        >
          Enter {placeText(entered)} again
        </Button>
      )}
      <FormError error={error} pending={pending} />
    </Section>
  );
}
