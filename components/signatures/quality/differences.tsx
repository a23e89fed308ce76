"use client";

import { type ReactNode, useMemo, useRef, useState } from "react";
import { ActionForm } from "@/components/forms/action-form";
import { useFormat } from "@/components/shell/format-provider";
import { useScreenKeys } from "@/components/shell/screen-keys";
import { type Settler, settlersText } from "@/components/signatures/quality/settlers-text";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { ButtonLink, TextLink } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { capitalized } from "@/lib/format/text";
import type { FormSubmit } from "@/lib/forms/form-state";
import type { CampaignOfTeam } from "@/lib/ids";
import type { RightEntry } from "@/lib/signatures/line";
import { nameText, personText, placeText, rightEntryTexts } from "@/lib/signatures/line-text";
import type { QualityCheck } from "@/lib/signatures/quality";
import { registerPath } from "@/lib/signatures/register/register-path";
import { verdictText } from "@/lib/signatures/verdicts";
import { cn } from "@/lib/utils";

type Difference = QualityCheck["differences"][number];
const sides = ["first", "second"] as const;

/**
 * Lines whose two entries differ, side by side, until one is called right and a wrong line is corrected. Keys act on the
 * current one: the one after the last that was settled.
 */
export function Differences({
  place,
  userId,
  differences,
  unsettled,
  settlers,
  settle,
}: {
  place: CampaignOfTeam;
  /** The person who looks at them: people can't settle differences in their own entries. */
  userId: string;
  /** Without unsettled ones that they entered a second time. */
  differences: Difference[];
  unsettled: number;
  /** Others who can settle. */
  settlers: Settler[];
  settle: FormSubmit;
}) {
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [last, setLast] = useState<{ difference: Difference; right: RightEntry } | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const lineHref = ({ sheet, id }: Difference) =>
    registerPath(place, { ...(sheet !== null && { sheet }), sort: "sheet", line: id });
  const isMadeByReader = (difference: Difference) => sides.some((side) => difference[side].by?.id === userId);
  const isOwn = (difference: Difference) => difference.right === null && isMadeByReader(difference);
  const ownLast = [...differences.filter((difference) => !isOwn(difference)), ...differences.filter(isOwn)];
  const open = differences.filter((difference) => difference.right === null && !isOwn(difference));
  const forOthers = unsettled - open.length;
  const { count } = useFormat();
  const current = open.find(({ id }) => id === chosenId) ?? open[0];
  const after = (difference: Difference) => open[(open.indexOf(difference) + 1) % open.length]?.id ?? null;
  const isEmpty = differences.length === 0 && last === null;
  useScreenKeys(
    useMemo(() => {
      if (isEmpty) return [];
      const press = (name: string) => () =>
        list.current?.querySelector<HTMLElement>(`[data-key=${name}] button`)?.click();
      return [
        { key: "1", does: "The first entry is right", run: press("first") },
        { key: "2", does: "The second entry is right", run: press("second") },
        { key: "3", does: "Neither entry is right", run: press("neither") },
        { key: "N", does: "Next difference", run: press("next") },
        { key: "U", does: "Undo", run: press("undo") },
      ];
    }, [isEmpty]),
  );
  const form = (difference: Difference, right: RightEntry | null, was: string, label: ReactNode) => (
    <ActionForm
      action={settle}
      hidden={{ ...place, id: difference.id, right: right ?? "", was }}
      submit={[label, "Saving…"]}
      variant="outline"
      onDone={() => {
        setChosenId(right === null ? difference.id : after(difference));
        setLast(right === null ? null : { difference, right });
      }}
    />
  );
  return (
    <Section
      id="differences"
      title="Differences"
      note={[
        open.length > 0 && "Compare both entries with the paper, then choose the right one.",
        forOthers > 0
          ? `${count(forOthers, "difference is waiting", "differences are waiting")} for ${settlersText(settlers)}, because you entered the ${forOthers === 1 ? "line" : "lines"}.`
          : differences.length === 0 && "No differences to settle.",
      ]
        .filter(Boolean)
        .join(" ")}
    >
      <div ref={list} className="contents">
        {differences.length > 0 && (
          <ul className="flex flex-col divide-y rounded-md border">
            {ownLast.map((difference) => {
              const own = isMadeByReader(difference);
              const isCurrent = difference === current;
              return (
                <li
                  key={difference.id}
                  aria-label={capitalized(placeText(difference))}
                  aria-current={isCurrent ? "true" : undefined}
                  className={cn("flex flex-col gap-2 px-4 py-3", isCurrent && "bg-primary-soft")}
                >
                  <div className="flex flex-wrap items-center gap-x-3">
                    <h3
                      // Receives the focus when the previous difference and its buttons are gone.
                      ref={difference.id === chosenId ? focus : undefined}
                      tabIndex={-1}
                      className="mr-auto scroll-mt-16 scroll-mb-72 font-medium outline-none" // the bar below covers nothing of it
                    >
                      {capitalized(placeText(difference))}
                    </h3>
                    {isCurrent && open.length > 1 && (
                      <span data-key="next">
                        <Button variant="ghost" onClick={() => setChosenId(after(difference))}>
                          Next <Kbd aria-hidden>N</Kbd>
                        </Button>
                      </span>
                    )}
                    <ButtonLink href={lineHref(difference) + (difference.right ? "#correct" : "")} variant="ghost">
                      {difference.right ? "Correct line" : "View line"}
                    </ButtonLink>
                  </div>
                  {difference.right && (
                    <p className="text-warning">
                      {capitalized(rightEntryTexts[difference.right])}. Correct the line to match the paper.
                    </p>
                  )}
                  {difference.right && !own && form(difference, null, difference.right, "Change decision")}
                  {!difference.right && own && (
                    <p className="text-muted-foreground">
                      You entered this line. Ask {settlersText(settlers, [difference.second.by?.id])} to settle it.
                    </p>
                  )}
                  <div className="grid gap-3 sm:grid-cols-2">
                    {sides.map((side, index) => (
                      <div
                        key={side}
                        data-key={isCurrent ? side : undefined}
                        className="flex flex-col justify-between gap-2"
                      >
                        <EntryFacts which={side} entry={difference[side]} />
                        {!difference.right &&
                          !own &&
                          form(
                            difference,
                            side,
                            "",
                            <>
                              The {side} is right {isCurrent && <Kbd aria-hidden>{index + 1}</Kbd>}
                            </>,
                          )}
                      </div>
                    ))}
                  </div>
                  {!difference.right && !own && (
                    <div data-key={isCurrent ? "neither" : undefined}>
                      {form(difference, "neither", "", <>Neither is right {isCurrent && <Kbd aria-hidden>3</Kbd>}</>)}
                    </div>
                  )}
                </li>
              );
            })}
          </ul>
        )}
        {last && (
          <div className="sticky bottom-0 flex flex-wrap items-center gap-x-3 gap-y-2 border-t bg-background py-2">
            <p ref={open.length === 0 ? focus : undefined} role="status" tabIndex={-1} className="outline-none">
              {capitalized(placeText(last.difference))}: {rightEntryTexts[last.right]}.
              {/* The card of another line stays, with its own link. */}
              {last.right === "first" && (
                <>
                  {" "}
                  <TextLink href={lineHref(last.difference)}>View line</TextLink>
                </>
              )}
            </p>
            <div key={last.difference.id} data-key="undo">
              {form(
                last.difference,
                null,
                last.right,
                <>
                  Undo <Kbd aria-hidden>U</Kbd>
                </>,
              )}
            </div>
          </div>
        )}
      </div>
    </Section>
  );
}

const focus = (element: HTMLElement | null) => element?.focus();

function EntryFacts({ which, entry }: { which: "first" | "second"; entry: Difference["first"] }) {
  const { voterId, address, by } = entry;
  return (
    <div className="wrap-anywhere">
      <p className="text-muted-foreground text-sm">
        {capitalized(which)} entry, by {personText(by?.name ?? null)}
      </p>
      <p className="font-medium">{[nameText(entry), verdictText(entry)].filter(Boolean).join(" · ")}</p>
      <p className="text-muted-foreground">{[address, voterId].filter(Boolean).join(" · ")}</p>
    </div>
  );
}
